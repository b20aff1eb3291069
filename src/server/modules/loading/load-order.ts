import type { Transaction } from '#server/database/database.ts';
import { referencedColumns } from '#shared/checks/rule-names.ts';
import { parseRule } from '#shared/checks/type-rule.ts';
import type { DefinitionFile } from '#shared/contract/definition-file.ts';
import { isSameName, nameKey } from '#shared/rules/names.ts';
import { ruleScope, type LookupTable } from '../definitions/collection-checks.ts';
import { readDefinitions } from '../definitions/definitions.service.ts';
import { blockingLookups } from '../records/blocking-checks.ts';

type LoadedTable = DefinitionFile['tables'][number];

/**
 * The tables of a file in the order in which they are loaded: that of the file, but after those in which their checks of
 * severity `block` look up values.
 */
export async function sortByLookups(
  db: Transaction,
  { tables }: DefinitionFile,
): Promise<LoadedTable[]> {
  const stored = (await readDefinitions(db)).tables;
  const ofFile: LookupTable[] = tables.map(({ definition }) => ({
    ...definition,
    fields: definition.columns,
  }));
  const lookedUp = new Map<LoadedTable, readonly string[]>();
  for (const table of tables) {
    const { guid, columns, checks = [] } = table.definition;
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
  const ordered = new Set<LoadedTable>();
  const visited = new Set<LoadedTable>();
  const visit = (table: LoadedTable) => {
    if (visited.has(table)) return;
    visited.add(table);
    const guids = lookedUp.get(table) ?? [];
    for (const other of tables) if (guids.includes(nameKey(other.definition.guid))) visit(other);
    ordered.add(table);
  };
  for (const table of tables) visit(table);
  return [...ordered];
}
