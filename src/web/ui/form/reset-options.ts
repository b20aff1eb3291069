/**
 * For the `values` of `useForm`, where new values of the service must not replace typed ones. Without `keepDirty` the form
 * counts as unchanged for a moment, in which one could leave the page without being asked.
 */
export const KEEP_TYPED_VALUES = { keepDirtyValues: true, keepDirty: true };
