/**
 * @file
 * strew inside OpenVINO: puts strew's operations in the place of those that OpenVINO has.
 *
 *     auto model = core.read_model("model.onnx");
 *     strew::openvino::replace(model);
 *     auto compiled = core.compile_model(model, "CPU");
 *
 * The library is built against one release of OpenVINO and runs with that one.
 */
#ifndef STREW_OPENVINO_HPP
#define STREW_OPENVINO_HPP

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <openvino/core/model.hpp>
#include <openvino/pass/pass.hpp>

#define STREW_OPENVINO_API __attribute__((visibility("default")))

namespace strew::openvino
{

/** An operation of a model. */
struct Entry {
    std::string name;             /**< its friendly name */
    std::string operator_version; /**< "ScatterNDUpdate-15" */
    std::string reason;           /**< why it was left to OpenVINO; empty if it was replaced */
    std::string note; /**< what it gets in another type than the model says; empty if nothing, or if it was left */
};

/** What became of the operations that strew has, in the order in which they run, those of bodies among them. */
struct Report {
    std::vector<Entry> replaced; /**< strew runs these */
    std::vector<Entry> left;     /**< OpenVINO runs these, as before */
};

/**
 * Puts strew's operations in the place of OpenVINO's Gather, GatherND, GatherElements, ScatterUpdate,
 * ScatterNDUpdate, ScatterElementsUpdate, SliceScatter, SegmentMax and sums of rows, in the model itself and in the
 * bodies of If, Loop and TensorIterator. Names, shapes and types of the model stay what they were. Call it before
 * the model is compiled, and again if its parameters are changed afterwards, as ov::preprocess does: it then looks
 * after their types once more.
 *
 * @param model  the model, which is changed in place
 * @param exact  whether strew also runs short operations, which OpenVINO runs as fast: every index is then checked,
 * and the order of several updates of one place is defined. Without it short operations are left to OpenVINO, but
 * for those of which it computes with other types than the model says.
 * @throws ov::Exception if the model is not valid
 */
STREW_OPENVINO_API Report replace(const std::shared_ptr<ov::Model> &model, bool exact = false);

/** The same as a pass for ov::pass::Manager. */
class STREW_OPENVINO_API Replace : public ov::pass::ModelPass
{
  public:
    OPENVINO_MODEL_PASS_RTTI("strew::openvino::Replace");
    explicit Replace(bool exact = false);
    bool run_on_model(const std::shared_ptr<ov::Model> &model) override;

  private:
    bool m_exact;
};

/** How many operations strew has run in this process. Those of several threads are all counted. */
STREW_OPENVINO_API std::uint64_t calls();

/** How many of these had indices that are a constant of the model, and that strew looks at once. */
STREW_OPENVINO_API std::uint64_t inspected_calls();

} // namespace strew::openvino

#endif
