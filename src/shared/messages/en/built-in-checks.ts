const BUILT_IN = {
  _required: 'A required value is missing',
  _rules: 'The value does not meet the definition of its field',
  _lookup: 'The value is not among those of the table',
  _future: 'The date is after today',
  _outlier: 'The number is far from the usual ones',
  _page: 'The value is not found on the page',
};

/** What a built-in check is called. */
export const builtInLabel = (name: keyof typeof BUILT_IN): string => BUILT_IN[name];
