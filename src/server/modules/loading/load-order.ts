import type { Transaction } from '#server/database/database.ts';
import { referencedColumns } from '#shared/checks/rule-names.ts';
import { parseRule } from '#shared/checks/type-rule.ts';
import { isSameName, nameKey } from '#shared/rules/names.ts';
import { ruleScope } from '../definitions/collection-checks.ts';
import type { DefinitionState } from '../definitions/definition-state.ts';
import { lookupTables } from './load-definitions.ts';
import { readDefinitions } from '../definitions/definitions.service.ts';
import { blockingLookups } from '../records/blocking-checks.ts';

/** A table of a definition file. */
interface LoadedTable {
  readonly wanted: DefinitionState;
}

/**
 * The tables of a file in the order in which they are loaded: that of the file, but after those in which their checks of
 * severity `block` look up values.
 */
export async function sortByLookups<Load extends LoadedTable>(
  db: Transaction,
  tables: readonly Load[],
): Promise<Load[]> {
  const stored = (await readDefinitions(db)).tables;
  const ofFile = lookupTables(tables.map(({ wanted }) => wanted));
  const lookedUp = new Map<Load, readonly string[]>();
  for (const table of tables) {
    const { guid, fields, checks } = table.wanted;
    const columns = fields.map(({ field }) => field);
    const scope = ruleScope(columns, [...ofFile, ...stored]);
    const rules = checks
      .filter(({ severity }) => severity === 'block')
      .flatMap(({ rule = '', when = '' }) => [rule, when])
      .flatMap((rule) => {
        const read = parseRule(rule, scope);
        return read.ok ? referencedColumns(read.value) : [];
      });
    const known = stored.find((other) => isSameName(other.guid, guid));
    const ofStored = known ? blockingLookups(known).map(({ reference }) => reference) : [];
    lookedUp.set(
      table,
      [...rules, ...ofStored].map((reference) => nameKey(reference.table)),
    );
  }
  const ordered = new Set<Load>();
  const visited = new Set<Load>();
  const visit = (table: Load) => {
    if (visited.has(table)) return;
    visited.add(table);
    const guids = lookedUp.get(table) ?? [];
    for (const other of tables) if (guids.includes(nameKey(other.wanted.guid))) visit(other);
    ordered.add(table);
  };
  for (const table of tables) visit(table);
  return [...ordered];
}
