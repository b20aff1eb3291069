/**
 * The rule `modules/no-cycle`: the folders of `src/server/modules` depend on each other in one direction. It reports an
 * import of another module that uses the importing one itself, directly or through further modules.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const MODULES = resolve(import.meta.dirname, '../../src/server/modules');
const IN_MODULE = /[\\/]src[\\/]server[\\/]modules[\\/]([^\\/]+)[\\/]/;
/** What one module imports of another: files in folders beside its own. */
const OTHER_MODULE = /^(?:\.\.|#server\/modules)\/([^/.]+)\//;
const IMPORTS = /\bfrom\s*'([^']+)'|\bimport\(\s*'([^']+)'/g;

/** The modules that each module imports. */
function readImports() {
  const modules = readdirSync(MODULES, { withFileTypes: true }).filter((one) => one.isDirectory());
  return new Map(
    modules.map(({ name }) => {
      const files = readdirSync(join(MODULES, name)).filter((file) => file.endsWith('.ts'));
      const sources = files.map((file) => readFileSync(join(MODULES, name, file), 'utf8'));
      const imported = sources.flatMap((source) =>
        [...source.matchAll(IMPORTS)].flatMap(([, path, dynamicPath]) => {
          const other = OTHER_MODULE.exec(path ?? dynamicPath)?.[1];
          return other === undefined || other === name ? [] : [other];
        }),
      );
      return [name, new Set(imported)];
    }),
  );
}

let imports;

/** The shortest way from one module to another by imports; undefined: there is none. */
function findPath(from, to) {
  imports ??= readImports();
  const paths = [[from]];
  const seen = new Set([from]);
  for (const path of paths) {
    const last = path.at(-1);
    if (last === to) return path;
    for (const next of imports.get(last) ?? []) {
      if (seen.has(next)) continue;
      seen.add(next);
      paths.push([...path, next]);
    }
  }
  return undefined;
}

const rule = {
  meta: {
    type: 'problem',
    docs: { description: 'Modules of the service depend on each other in one direction.' },
    schema: [],
    messages: { cycle: 'This import closes a cycle of modules: {{path}}' },
  },
  create(context) {
    const own = IN_MODULE.exec(context.filename)?.[1];
    if (own === undefined) return {};
    const check = ({ source }) => {
      const other = OTHER_MODULE.exec(source?.value)?.[1];
      const path = other === undefined || other === own ? undefined : findPath(other, own);
      if (!path) return;
      const data = { path: [own, ...path].join(' → ') };
      context.report({ node: source, messageId: 'cycle', data });
    };
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      ImportExpression: check,
    };
  },
};

export default { meta: { name: 'modules' }, rules: { 'no-cycle': rule } };
