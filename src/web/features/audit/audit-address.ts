import type { RawSearch } from '#web/api/list-view.ts';

/** The filters of the audit in the address of the page. */
const FILTERS = ['from', 'to', 'user', 'kind', 'archive', 'table', 'field', 'value'] as const;
export type AuditFilterName = (typeof FILTERS)[number];
export type AuditSearch = Partial<Readonly<Record<AuditFilterName, string>>>;

/** Parses the filters of an address. */
export function filterOf(search: RawSearch): AuditSearch {
  return Object.fromEntries(
    FILTERS.flatMap((name) => (search[name] ? [[name, search[name]] as const] : [])),
  );
}

/** The parameters of the call: days in the user's time zone become the instants at which they begin and end. */
export function queryOf(filter: AuditSearch): URLSearchParams {
  const query = new URLSearchParams();
  for (const name of FILTERS) {
    const value = filter[name];
    if (value === undefined) continue;
    if (name === 'from' || name === 'to') {
      const instant = instantOf(value, name === 'to');
      if (instant !== null) query.set(name, instant);
    } else query.set(name, value);
  }
  return query;
}

/** The first or last instant of a day; null: invalid */
function instantOf(day: string, isEnd: boolean): string | null {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const begin = new Date(year, month - 1, isEnd ? date + 1 : date);
  const time = begin.getTime() - (isEnd ? 1 : 0);
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}
