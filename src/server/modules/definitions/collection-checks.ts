import { hash } from 'node:crypto';
import type { Check, CheckPart, LookupColumn } from '#server/database/records/check.ts';
import type { Collection, Table } from '#server/database/records/collection.ts';
import { conditional } from '#shared/checks/record-checks.ts';
import { clockUse, referencedColumns, fieldsOf } from '#shared/checks/rule-names.ts';
import type { RuleNode } from '#shared/checks/rule-tree.ts';
import { parseRule, type RuleScope } from '#shared/checks/type-rule.ts';
import type { CheckDefinition } from '#shared/rules/check-definitions.ts';
import { BUILT_IN_CHECKS } from '#shared/rules/check-words.ts';
import type { IndexField } from '#shared/rules/definitions.ts';
import { withCheckColumns } from '#shared/rules/lists.ts';
import { findByName, isSameName } from '#shared/rules/names.ts';
import { builtInLabel } from '#messages/built-in-checks.ts';
import { builtInParts } from './built-in-checks.ts';

/** A table in whose columns rules may look up values. */
export type LookupTable = Pick<Table, 'guid' | 'name'> & { readonly fields: readonly IndexField[] };

/** The meaning of the names in rules of an archive or table. */
export function ruleScope(
  fields: readonly IndexField[],
  tables: readonly LookupTable[],
): RuleScope {
  return {
    fields,
    column(tableName, columnName) {
      const table = findByName(tables, tableName);
      if (!table) return 'no table';
      const column = findByName(table.fields, columnName);
      if (!column) return 'no column';
      return { table: table.guid, column: column.name, type: column.type };
    },
  };
}

/** An archive or table with its checks. @param tables the active ones, in which rules look up values */
export function withChecks<Defined extends Collection>(
  collection: Defined,
  tables: readonly Table[],
): Defined {
  const checks = checksOf(collection, tables);
  return {
    ...collection,
    checks,
    listColumns: withCheckColumns(
      collection.listColumns,
      checks.map(({ name }) => name),
    ),
  };
}

/**
 * The compiled checks of an archive or table. A check whose rule names something that no longer exists, such as a
 * retired table, is inactive: it is left out.
 */
function checksOf(collection: Collection, tables: readonly Table[]): Check[] {
  const { checks = [], checksOff = [] } = collection.definedChecks;
  const scope = ruleScope(collection.fields, tables);
  const defined = checks.flatMap((definition) => {
    const check = compileCheck(collection, tables, definition, scope);
    return check ? [check] : [];
  });
  const builtIn = BUILT_IN_CHECKS.filter((name) => !checksOff.includes(name)).map((name) =>
    completeCheck(collection, tables, {
      name,
      label: builtInLabel(name),
      severity: 'warn',
      definition: null,
      parts: builtInParts(name, collection, tables),
      duplicates: null,
    }),
  );
  // Without a field for it there is nothing to search on pages.
  const used = builtIn.filter(({ name, parts }) => name !== '_page' || parts.length > 0);
  return [...defined, ...used];
}

function compileCheck(
  collection: Collection,
  tables: readonly Table[],
  definition: CheckDefinition,
  scope: RuleScope,
): Check | null {
  const { name, label, severity, rule, when, duplicates, ignore = [] } = definition;
  const condition = when === undefined ? null : parseRule(when, scope);
  if (condition && !condition.ok) return null;
  const about = { name, label, severity, definition };
  if (duplicates) {
    const lists = duplicates.map((names) => spelled(collection, names));
    if (lists.some((list, i) => list.length !== duplicates[i]?.length)) return null;
    const whenTrue = condition?.value ?? null;
    return completeCheck(collection, tables, {
      ...about,
      parts: [],
      duplicates: { lists, ignore, when: whenTrue },
    });
  }
  const must = parseRule(rule ?? '', scope);
  if (!must.ok) return null;
  const node = conditional(must.value, condition?.value ?? null);
  const marked = definition.fields
    ? spelled(collection, definition.fields)
    : ([must.value, node].map(fieldsOf).find(({ length }) => length > 0) ?? []);
  const parts = [{ fields: marked, uses: fieldsOf(node), rule: node, measure: null }];
  return completeCheck(collection, tables, { ...about, parts, duplicates: null });
}

/** Names of fields as the definition of the archive or table spells them. */
function spelled({ fields }: Collection, names: readonly string[]): string[] {
  return names.flatMap((given) => findByName(fields, given)?.name ?? []);
}

/** The columns in which rules look up values, and where they are stored. */
export function resolveLookupColumns(
  rules: readonly RuleNode[],
  tables: readonly Table[],
): LookupColumn[] {
  return rules.flatMap(referencedColumns).flatMap((reference) => {
    const table = tables.find(({ guid }) => isSameName(guid, reference.table));
    const field = table && findByName(table.fields, reference.column);
    if (!table || !field) return [];
    return [
      {
        reference,
        table: { kind: table.kind, id: table.id },
        field: { number: field.number, type: field.type },
      },
    ];
  });
}

/** The kind of keys that are stored of duplicates: others are to be counted again. */
const DUPLICATE_KEY_ALGORITHMS = 'cyrb53 or hashtextextended, no zero before any number';

function completeCheck(
  collection: Collection,
  tables: readonly Table[],
  check: Omit<Check, 'fields' | 'uses' | 'lookups' | 'isTimed' | 'fingerprint'>,
): Check {
  const { parts, duplicates, definition } = check;
  const conditions = duplicates?.when ? [duplicates.when] : [];
  const rules = [...parts.flatMap(({ rule }) => rule ?? []), ...conditions];
  const lists = duplicates?.lists.flat() ?? [];
  const names = (of: (part: CheckPart) => readonly string[]) => [
    ...new Set([...parts.flatMap(of), ...lists]),
  ];
  const uses = [...new Set([...names((part) => part.uses), ...conditions.flatMap(fieldsOf)])];
  const numbers = uses.map((name) => {
    const field = findByName(collection.fields, name);
    return [name, field?.number, field?.type];
  });
  const lookups = resolveLookupColumns(rules, tables);
  return {
    ...check,
    fields: definition?.fields
      ? spelled(collection, definition.fields)
      : names((part) => part.fields),
    uses,
    lookups,
    isTimed:
      rules.some(clockUse) || parts.some(({ measure }) => measure && measure.kind !== 'page'),
    fingerprint: hash(
      'sha256',
      JSON.stringify([
        parts,
        duplicates && { ...duplicates, keys: DUPLICATE_KEY_ALGORITHMS },
        numbers,
        lookups,
      ]),
      'base64url',
    ),
  };
}
