# Target onnx_proto: ONNX's protobuf messages in C (onnx.pb-c.h), which protoc-c generates from the installed
# onnx.proto.

find_program(PROTOC_C protoc-c)
find_path(ONNX_PROTO_DIR onnx.proto PATH_SUFFIXES onnx)
find_path(PROTOBUF_C_INCLUDE_DIR protobuf-c/protobuf-c.h)
find_library(PROTOBUF_C_LIBRARY protobuf-c)

foreach(required IN ITEMS PROTOC_C ONNX_PROTO_DIR PROTOBUF_C_INCLUDE_DIR PROTOBUF_C_LIBRARY)
  if(NOT ${required})
    message(FATAL_ERROR "${required} was not found: reading ONNX files needs protoc-c, libprotobuf-c and "
                        "onnx.proto (Debian: protobuf-c-compiler libprotobuf-c-dev libonnx-dev)")
  endif()
endforeach()

set(onnx_proto_dir ${CMAKE_CURRENT_BINARY_DIR}/onnx_proto)
file(MAKE_DIRECTORY ${onnx_proto_dir})
add_custom_command(
  OUTPUT ${onnx_proto_dir}/onnx.pb-c.c ${onnx_proto_dir}/onnx.pb-c.h
  COMMAND ${PROTOC_C} --c_out=${onnx_proto_dir} --proto_path=${ONNX_PROTO_DIR} onnx.proto
  DEPENDS ${ONNX_PROTO_DIR}/onnx.proto
  COMMENT "Generating onnx.pb-c.c and onnx.pb-c.h"
  VERBATIM)

# Generated code: not held to strew_warnings, and its header is a system one for those who include it.
add_library(onnx_proto STATIC ${onnx_proto_dir}/onnx.pb-c.c ${onnx_proto_dir}/onnx.pb-c.h)
target_include_directories(onnx_proto SYSTEM PUBLIC ${onnx_proto_dir} ${PROTOBUF_C_INCLUDE_DIR})
target_link_libraries(onnx_proto PUBLIC ${PROTOBUF_C_LIBRARY})
