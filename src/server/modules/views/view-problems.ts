import { textsOf } from '#shared/contract/errors.ts';
import * as texts from '#messages/service/workspace.ts';
import { readListQuery } from '#shared/rules/lists.ts';
import { findByName } from '#shared/rules/names.ts';
import type { Collection } from '#server/database/records/collection.ts';

/** The conditions of lists and colours in the address of a page; a number distinguishes equal names. */
const CONDITION = /^(where|or\[\w+\]|colour)\[([^[\]]+)\]\[([a-z]+)\](?:\[\d+\])?$/;

/**
 * The errors in the address of a view, one sentence each: unknown fields to filter, sort, colour or show, and invalid
 * conditions. Parameters of pages, such as widths, are not checked.
 */
export function viewProblems(collection: Collection, search: string): string[] {
  const parameters = [...new URLSearchParams(search)];
  const listParameters = parameters.flatMap(([name, value]): [string, string][] => {
    const [, kind, field = '', operator = ''] = CONDITION.exec(name) ?? [];
    if (kind !== undefined && kind !== 'colour') return [[`${kind}[${field}][${operator}]`, value]];
    return name === 'q' || name === 'sort' ? [[name, value]] : [];
  });
  const parts = ['where', 'q', 'sort'] as const;
  const { reader } = readListQuery(listParameters, collection.listColumns, [], parts);
  const problems = Object.entries(textsOf(reader.errors)).map(
    ([name, messages]) => `${name}: ${messages.join(' ')}`,
  );

  const named = parameters.flatMap(([name, value]) => {
    const [, kind, field = ''] = CONDITION.exec(name) ?? [];
    if (kind === 'colour') return [field];
    return name === 'columns' ? value.split(',').filter((column) => column !== '') : [];
  });
  for (const field of new Set(named)) {
    if (!findByName(collection.listColumns, field)) problems.push(texts.noField({ field }).message);
  }
  return problems;
}
