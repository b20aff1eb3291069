import { join, resolve } from 'node:path';
import { type ESTree, type Plugin, parseSync, Visitor } from 'vite';

/** The language that is made from the English texts, to find what is not in the catalogue and what does not fit. */
const PSEUDO = 'pseudo';

const MESSAGES = resolve(import.meta.dirname, '../src/shared/messages');
const ENGLISH = join(MESSAGES, 'en');

/**
 * Builds the web admin in one language: `#messages/SUBJECT.ts` is `src/shared/messages/LANGUAGE/SUBJECT.ts`. Texts are thus
 * part of the code that uses them, are loaded with it, and are chosen once, when the build is.
 * @param language the name of the folder, a BCP 47 tag; `pseudo` changes the English texts
 */
export function catalogueLanguage(language: string): Plugin {
  return {
    name: 'catalogue-language',
    enforce: 'pre',
    async resolveId(source, importer) {
      if (language === 'en' || language === PSEUDO || !source.startsWith('#messages/')) return null;
      return this.resolve(join(MESSAGES, language, source.slice('#messages/'.length)), importer);
    },
    transform(code, id) {
      if (language !== PSEUDO || !id.startsWith(ENGLISH) || id.endsWith('/language.ts'))
        return null;
      return { code: pseudoTexts(code), map: null };
    },
    transformIndexHtml: (html) =>
      html.replace('<html lang="en">', `<html lang="${language === PSEUDO ? 'en-XA' : language}">`),
  };
}

/** Changes the texts of one file of the catalogue; what is compared, looked up or a code stays as it is. */
export function pseudoTexts(code: string): string {
  const { program } = parseSync('texts.ts', code);
  const kept = new Set<ESTree.Node>();
  /** the constructions of formats, whose languages and options are no texts */
  const formats: ESTree.NewExpression[] = [];
  const edits: { readonly start: number; readonly end: number; readonly text: string }[] = [];
  const keep = (node: ESTree.Node | null | undefined) => node && kept.add(node);
  new Visitor({
    ImportDeclaration: ({ source }) => void keep(source),
    TSLiteralType: ({ literal }) => void keep(literal),
    BinaryExpression({ left, right }) {
      keep(left);
      keep(right);
    },
    SwitchCase: ({ test }) => void keep(test),
    MemberExpression: ({ property }) => void keep(property),
    Property: ({ key }) => void keep(key),
    CallExpression({ callee, arguments: args }) {
      // The code of a message, and the methods of strings and lists.
      if (callee.type === 'Identifier' && callee.name === 'coded') keep(args[0]);
      if (callee.type === 'MemberExpression') for (const arg of args) keep(arg);
    },
    NewExpression(node) {
      const { callee } = node;
      if (callee.type !== 'MemberExpression' || callee.object.type !== 'Identifier') return;
      if (callee.object.name === 'Intl') formats.push(node);
    },
    Literal(node) {
      if (typeof node.value !== 'string' || kept.has(node)) return;
      if (formats.some(({ start, end }) => start < node.start && node.end < end)) return;
      edits.push({
        start: node.start,
        end: node.end,
        text: JSON.stringify(`⟦${pseudo(node.value)}⟧`),
      });
    },
    TemplateLiteral(node) {
      if (kept.has(node)) return;
      for (const [at, { value }] of node.quasis.entries()) {
        const before = node.expressions[at - 1];
        const start = before ? code.indexOf('}', before.end) + 1 : node.start + 1;
        const [open, close] = [at === 0 ? '⟦' : '', at === node.quasis.length - 1 ? '⟧' : ''];
        const text = `${open}${pseudo(value.raw)}${close}`;
        edits.push({ start, end: start + value.raw.length, text });
      }
    },
  }).visit(program);
  return edits
    .toSorted((a, b) => b.start - a.start)
    .reduce((text, edit) => text.slice(0, edit.start) + edit.text + text.slice(edit.end), code);
}

const PLAIN = 'aceghijklnorstuwyzACEGHIJKLNORSTUWYZ';
const ACCENTED = 'åçéĝĥîĵķļñöŕšţûŵýžÅÇÉĜĤÎĴĶĻÑÖŔŠŢÛŴÝŽ';
const VOWELS = 'aeiouAEIOU';

/** A text in the pseudo-language: accents on the letters, and every vowel twice: about 40 % longer, as German is. Escapes stay. */
export function pseudo(text: string): string {
  return text.replaceAll(/\\.|[A-Za-z]/gs, (letter) => {
    const at = PLAIN.indexOf(letter);
    const accented = letter.length === 1 && at >= 0 ? (ACCENTED[at] ?? letter) : letter;
    return VOWELS.includes(letter) ? accented + accented.toLowerCase() : accented;
  });
}
