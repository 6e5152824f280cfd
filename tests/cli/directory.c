#include "directory.h"

#include "system/system.h"

int directory_enter(void **state)
{
    (void)state;
    return system_enter_new_directory("test_cli") ? 0 : -1;
}

int directory_leave(void **state)
{
    (void)state;
    return system_leave_directory() ? 0 : -1;
}
