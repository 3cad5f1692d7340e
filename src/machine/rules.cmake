# The evaluator is one class over many small files; compiled as one unit, its hot functions are inlined into each other.
set_target_properties(assay_machine PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
