// A complete program: a model that adds rows to a table, with strew's operations in it.
#include <cstdio>

#include <openvino/openvino.hpp>
#include <openvino/opsets/opset15.hpp>
#include <strew/openvino.hpp>

using namespace ov::opset15;

static std::shared_ptr<ov::Model> make_model()
{
    const auto table = std::make_shared<Parameter>(ov::element::f64, ov::PartialShape{-1, 2});
    const auto words = std::make_shared<Parameter>(ov::element::i64, ov::PartialShape{-1, 1});
    const auto gradients = std::make_shared<Parameter>(ov::element::f64, ov::PartialShape{-1, 2});
    const auto sum = std::make_shared<ScatterNDUpdate>(table, words, gradients, ScatterNDUpdate::Reduction::SUM);
    sum->set_friendly_name("add_gradients");
    return std::make_shared<ov::Model>(ov::OutputVector{sum}, ov::ParameterVector{table, words, gradients});
}

int main()
{
    ov::Core core;
    auto model = make_model();
    const strew::openvino::Report report = strew::openvino::replace(model);
    for (const strew::openvino::Entry &entry : report.replaced)
        std::printf("strew runs %s (%s)\n", entry.name.c_str(), entry.operator_version.c_str());
    auto request = core.compile_model(model, "CPU").create_infer_request();

    double table[6][2] = {}, gradients[3][2] = {{1, 2}, {7, 7}, {10, 20}};
    int64_t words[3] = {2, 0, -4};
    const ov::Tensor in_place(ov::element::f64, {6, 2}, table);
    request.set_input_tensor(0, in_place);
    request.set_input_tensor(1, ov::Tensor(ov::element::i64, {3, 1}, words));
    request.set_input_tensor(2, ov::Tensor(ov::element::f64, {3, 2}, gradients));
    request.set_output_tensor(in_place);
    request.infer();
    std::printf("word 2: %g %g\n", table[2][0], table[2][1]);

    words[1] = (int64_t{1} << 32) + 1;
    try {
        request.infer();
    } catch (const std::exception &error) {
        std::string message = error.what();
        message.erase(0, message.find("add_gradients ("));
        std::printf("%s\n", message.substr(0, message.find('\n')).c_str());
    }
    std::printf("calls: %llu\n", static_cast<unsigned long long>(strew::openvino::calls()));
    return 0;
}
