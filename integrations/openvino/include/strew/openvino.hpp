/**
 * @file
 * strew inside OpenVINO: replaces OpenVINO's operations by strew's.
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
    std::string reason;           /**< why OpenVINO still runs it; empty if strew runs it */
    std::string note;             /**< inputs that it gets in another type than the model says; may be empty */
};

/** The operations that strew has, in the order in which they run, those of bodies among them. */
struct Report {
    std::vector<Entry> replaced; /**< strew runs these */
    std::vector<Entry> left;     /**< OpenVINO runs these, as before */
};

/**
 * Replaces OpenVINO's Gather, GatherND, GatherElements, ScatterUpdate, ScatterNDUpdate, ScatterElementsUpdate,
 * SliceScatter, SegmentMax and sums of rows by strew's operations, in the model itself and in the bodies of If,
 * Loop and TensorIterator. Names, shapes and types of the model do not change. Call it before you compile the
 * model, and again if you change its parameters afterwards, as ov::preprocess does: it then keeps their types
 * again.
 *
 * @param model  the model, which changes in place
 * @param exact  whether strew also runs short operations, which OpenVINO runs as fast. strew then checks every
 * index, and defines the order of several updates of one place. Without it OpenVINO runs short operations, except
 * those that it would compute with other types than the model says.
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

/** Returns how many operations strew has run in this process, on all threads. */
STREW_OPENVINO_API std::uint64_t calls();

/** Returns how many of these had constant indices of the model, which strew inspects once. */
STREW_OPENVINO_API std::uint64_t inspected_calls();

} // namespace strew::openvino

#endif
