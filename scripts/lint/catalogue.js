/**
 * The rule `catalogue/no-text`: what people read comes from `src/shared/messages`. It reports texts in JSX, in the
 * attributes that are read or announced, strings that are sentences or begin like one, and phrases that a function
 * returns; with the option `phrases` also phrases in objects. It does not report the messages of plain `Error` (a
 * defect, for the log), and what OpenAPI documents say.
 */

/** The attributes of elements and components whose text is shown or announced. */
const TEXT_ATTRIBUTES = new Set([
  'alt',
  'aria-description',
  'aria-label',
  'aria-placeholder',
  'aria-roledescription',
  'aria-valuetext',
  'description',
  'error',
  'label',
  'legend',
  'message',
  'placeholder',
  'title',
]);

/** Two words of which the first begins like a sentence, or several words with a full stop behind them. */
const SENTENCE = /^[“"(]?\p{Lu}[\p{Ll}’']*[,:]? [\p{L}\d“(]|^\S+(?: \S+){2,}[.?!]$/u;
/** Several lower-case words, as the value of a property; an `id` is no text. */
const PHRASE = /^\p{Ll}+(?: \p{Ll}+)+$/u;
/** Four words or more. */
const LONG_PHRASE = /\p{L}[\p{L}’']*(?:[,;:]? \p{L}[\p{L}’']*){3}/u;
const WORD = /\p{L}{2}/u;
/** Errors of these kinds say what is wrong with the program; they are for its log. */
const DEFECTS = new Set(['Error', 'TypeError', 'RangeError', 'AggregateError']);
/** Calls whose texts are for developers: the schemas of the OpenAPI document, logs, metrics; not those of a command's `report`. */
const FOR_DEVELOPERS = new Set(['describe', 'debug', 'trace', 'info', 'warn', 'fatal', 'gauge']);
/** Properties of routes and metrics, shown in the OpenAPI document and by monitoring. */
const DOCUMENTATION = new Set([
  'summary',
  'description',
  'help',
  'parameters',
  'responses',
  'tags',
]);

/** Whether a string with several words is the message of an error that people read. */
const isErrorMessage = ({ parent }, text) =>
  parent.type === 'NewExpression' &&
  /.Error$/u.test(nameOf(parent.callee) ?? '') &&
  !DEFECTS.has(nameOf(parent.callee)) &&
  /\p{L}+ \p{L}/u.test(text);

/** Whether a string is what a function returns, perhaps under a condition. */
function isReturned(node) {
  let at = node;
  while (at.parent.type === 'ConditionalExpression' && at !== at.parent.test) at = at.parent;
  const { parent } = at;
  return (
    parent.type === 'ReturnStatement' ||
    (parent.type === 'ArrowFunctionExpression' && at === parent.body)
  );
}

const isFunction = (node) =>
  node.type === 'ArrowFunctionExpression' ||
  node.type === 'FunctionExpression' ||
  node.type === 'FunctionDeclaration';

const nameOf = (node) =>
  node?.type === 'Identifier'
    ? node.name
    : node?.type === 'MemberExpression' && !node.computed
      ? node.property.name
      : node?.type === 'Literal'
        ? String(node.value)
        : undefined;

/** Whether a string is for developers: in the construction of a defect, a log line, or documentation. */
function isForDevelopers(node, documentation) {
  for (let at = node; at.parent && !isFunction(at); at = at.parent) {
    const { parent } = at;
    if (parent.type === 'NewExpression' && DEFECTS.has(nameOf(parent.callee))) return true;
    if (parent.type === 'CallExpression' && at !== parent.callee) {
      const { callee } = parent;
      if (FOR_DEVELOPERS.has(nameOf(callee)) && nameOf(callee.object) !== 'report') return true;
    }
    if (parent.type === 'TaggedTemplateExpression') return true;
    if (parent.type === 'ImportDeclaration' || parent.type.startsWith('TS')) return true;
    if (documentation && parent.type === 'Property' && DOCUMENTATION.has(nameOf(parent.key))) {
      return true;
    }
  }
  return false;
}

const rule = {
  meta: {
    type: 'problem',
    docs: { description: 'What people read comes from src/shared/messages.' },
    schema: [
      {
        type: 'object',
        properties: { documentation: { type: 'boolean' }, phrases: { type: 'boolean' } },
        additionalProperties: false,
      },
    ],
    messages: { text: 'Move this text into src/shared/messages: “{{text}}”' },
  },
  create(context) {
    const { documentation = false, phrases = false } = context.options?.[0] ?? {};
    const report = (node, text) =>
      context.report({ node, messageId: 'text', data: { text: text.trim().slice(0, 80) } });
    const isAttribute = (node) => {
      const parent =
        node.parent.type === 'JSXExpressionContainer' ? node.parent.parent : node.parent;
      return parent.type === 'JSXAttribute' ? parent.name.name : undefined;
    };
    const check = (node, text) => {
      const attribute = isAttribute(node);
      if (attribute !== undefined && typeof attribute === 'string') {
        if (TEXT_ATTRIBUTES.has(attribute) ? WORD.test(text) : SENTENCE.test(text)) {
          report(node, text);
        }
        return;
      }
      const isChild = node.parent.type === 'JSXExpressionContainer';
      const isText =
        SENTENCE.test(text) ||
        isErrorMessage(node, text) ||
        (isReturned(node) && LONG_PHRASE.test(text));
      if (isChild ? WORD.test(text) : isText) {
        if (!isForDevelopers(node, documentation)) report(node, text);
      }
    };
    /** `{ 'aria-label': 'Value' }`: an attribute that is passed on. */
    const isAnnounced = ({ parent, value }) =>
      parent.type === 'Property' &&
      parent.value.value === value &&
      nameOf(parent.key)?.startsWith('aria-') === true &&
      TEXT_ATTRIBUTES.has(nameOf(parent.key)) &&
      WORD.test(value);
    const isPhrase = ({ parent, value }) =>
      phrases &&
      parent.type === 'Property' &&
      parent.value.value === value &&
      nameOf(parent.key) !== 'id' &&
      PHRASE.test(value);
    return {
      JSXText(node) {
        if (WORD.test(node.value)) report(node, node.value);
      },
      Literal(node) {
        if (typeof node.value !== 'string') return;
        if (isPhrase(node) || isAnnounced(node)) report(node, node.value);
        else check(node, node.value);
      },
      TemplateLiteral(node) {
        check(node, node.quasis.map(({ value }) => value.cooked ?? '').join('0'));
      },
    };
  },
};

export default { meta: { name: 'catalogue' }, rules: { 'no-text': rule } };
