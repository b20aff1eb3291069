import { OPERATORS, type Operator } from '#shared/values/value-type.ts';
import { limitsOf, readWithin } from './relative-dates.ts';

/** The operators of the interface, and `within` a period that moves on, which only the web admin knows. */
export type ListOperator = Operator | 'within';

/** One filter as it stands in an address: the value is text, read by the field's type at the server. */
export interface Where {
  /** an index field or column, `keyword.NAME`, or `revisionId`, `jrid`, `changedAt`, `changedBy` */
  readonly field: string;
  readonly op: ListOperator;
  readonly value: string;
  /** conditions of one group are alternatives, of which one must be met; undefined: this one must be met */
  readonly group?: number;
}

/** One filter as the service takes it. */
interface ServiceWhere extends Where {
  readonly op: Operator;
}

/**
 * What a list shows, as it stands in the page's address; a link reproduces it. The same words as the
 * API's list parameters (docs/interface/decisions.md, section 6), so the two cannot drift apart; but for `within`, which is
 * resolved when the list is read.
 */
export interface ListView {
  readonly where?: readonly Where[];
  readonly q?: string;
  /** `NAME` or `-NAME`, the first weighs most */
  readonly sort?: readonly string[];
  /** the columns shown, in their order; undefined: the default choice */
  readonly columns?: readonly string[];
  /** the revisionId or jrid whose form is open */
  readonly selected?: string;
  /** the id of the saved view that this began with */
  readonly view?: string;
  /** pixels of the columns that the user has resized, by name; in an address `NAME:PIXELS,…` */
  readonly widths?: Widths;
  /** how many columns are pinned to the left edge */
  readonly frozen?: number;
  /** in a grid: lines of each row, 2 to 4; undefined: one */
  readonly lines?: number;
  /** in a grid: which cells are coloured by their values, the first that holds */
  readonly colours?: readonly ColourRule[];
}

/** Pixels of columns, by name. */
type Widths = Readonly<Record<string, number>>;

export const COLOURS = ['red', 'yellow', 'green', 'blue'] as const;
export type Colour = (typeof COLOURS)[number];

/** Colours the cells of a column whose values meet the condition. */
export interface ColourRule extends ServiceWhere {
  readonly colour: Colour;
}

/** An address's search as it is read: plain texts, never guessed into other types. */
export type RawSearch = Record<string, string>;

/** A condition, or an alternative with a number as its group; a number at the end distinguishes equal names. */
const WHERE =
  /^(?:where|or\[(?<group>\d{1,4})\])\[(?<field>[^[\]]+)\]\[(?<op>[A-Za-z]+)\](?:\[\d+\])?$/;
const COLOUR = /^colour\[([^[\]]+)\]\[([A-Za-z]+)\](?:\[\d+\])?$/;
function isOperator(op: string): op is Operator {
  return OPERATORS.some((operator) => operator === op);
}

/**
 * The next view, or how it comes from the one before: what is done twice in a row, such as a click on a heading,
 * goes on from what it led to itself, also where that is not drawn yet.
 */
export type ViewChange = ListView | ((before: ListView) => ListView);

/** Reads a view from an address; what it does not know it leaves out. */
export function readListView(search: Readonly<Record<string, unknown>>): ListView {
  const where: Where[] = [];
  const colours: ColourRule[] = [];
  for (const [name, value] of Object.entries(search)) {
    const { group, field = '', op = '' } = WHERE.exec(name)?.groups ?? {};
    if (typeof value !== 'string') continue;
    if (isOperator(op)) {
      where.push({ field, op, value, ...(group === undefined ? {} : { group: Number(group) }) });
    } else if (op === 'within' && group === undefined && readWithin(value)) {
      // A period is two conditions of the service, which cannot be alternatives.
      where.push({ field, op, value });
    }
    const rule = readColour(name, value);
    if (rule) colours.push(rule);
  }
  const q = text(search['q']);
  const sort = names(search['sort']);
  const columns = names(search['columns']);
  const selected = text(search['selected']);
  const view = text(search['view']);
  const widths = readWidths(text(search['widths']) ?? '');
  const frozen = count(search['frozen'], 1, 99);
  const lines = count(search['lines'], 2, 4);
  return {
    ...(where.length > 0 ? { where } : {}),
    ...(q ? { q } : {}),
    ...(sort ? { sort } : {}),
    ...(columns ? { columns } : {}),
    ...(selected ? { selected } : {}),
    ...(view ? { view } : {}),
    ...(Object.keys(widths).length > 0 ? { widths } : {}),
    ...(frozen === undefined ? {} : { frozen }),
    ...(lines === undefined ? {} : { lines }),
    ...(colours.length > 0 ? { colours } : {}),
  };
}

/** Writes a view as the search of an address; `readListView` reads it back. */
export function writeListView(view: ListView): RawSearch {
  const search: RawSearch = {};
  const seen = new Map<string, number>();
  // The same condition twice needs two names in an address; the API takes the name repeated.
  const put = (name: string, value: string) => {
    const before = seen.get(name) ?? 0;
    seen.set(name, before + 1);
    search[before === 0 ? name : `${name}[${before}]`] = value;
  };
  for (const one of view.where ?? []) put(whereName(one), one.value);
  if (view.q) search['q'] = view.q;
  if (view.sort?.length) search['sort'] = view.sort.join(',');
  if (view.columns?.length) search['columns'] = view.columns.join(',');
  if (view.selected) search['selected'] = view.selected;
  if (view.view) search['view'] = view.view;
  const widths = writeWidths(view.widths ?? {});
  if (widths !== '') search['widths'] = widths;
  if (view.frozen) search['frozen'] = String(view.frozen);
  if (view.lines) search['lines'] = String(view.lines);
  for (const { field, op, value, colour } of view.colours ?? []) {
    put(`colour[${field}][${op}]`, `${colour}:${value}`);
  }
  return search;
}

/** Whether a filter is one of the service's own. */
export function isServiceWhere(where: Where): where is ServiceWhere {
  return where.op !== 'within';
}

/** The filters as the service takes them: a period is the days or moments that lie in it now. */
export function resolveWhere(where: readonly Where[], now = new Date()): readonly ServiceWhere[] {
  return where.flatMap((one): readonly ServiceWhere[] => {
    if (isServiceWhere(one)) return [one];
    const period = readWithin(one.value);
    return period ? limitsOf(period, now).map((limit) => ({ field: one.field, ...limit })) : [];
  });
}

interface Page {
  readonly limit?: number;
  readonly offset?: number;
  /** the `next` of the page before */
  readonly after?: string;
  /** whether the answer is to say what checks find in the records */
  readonly findings?: boolean;
}

/** The query string of a list call, with its `?`; '' where nothing is asked. */
export function listQueryString(
  view: Pick<ListView, 'where' | 'q' | 'sort'>,
  page: Page = {},
): string {
  const parameters = new URLSearchParams();
  for (const one of resolveWhere(view.where ?? [])) parameters.append(whereName(one), one.value);
  if (view.q) parameters.set('q', view.q);
  if (view.sort?.length) parameters.set('sort', view.sort.join(','));
  if (page.limit !== undefined) parameters.set('limit', String(page.limit));
  if (page.offset !== undefined) parameters.set('offset', String(page.offset));
  if (page.after !== undefined) parameters.set('after', page.after);
  if (page.findings) parameters.set('findings', 'true');
  const written = parameters.toString();
  return written === '' ? '' : `?${written}`;
}

/** The name of the parameter of a condition, in addresses and in requests. */
function whereName({ field, op, group }: Where): string {
  return `${group === undefined ? 'where' : `or[${group}]`}[${field}][${op}]`;
}

/** The filters without those on a field, and without the alternatives to them. */
export function withoutField(where: readonly Where[], name: string): readonly Where[] {
  const groups = new Set(
    where.flatMap(({ field, group }) => (field === name && group !== undefined ? [group] : [])),
  );
  return where.filter(
    ({ field, group }) => field !== name && (group === undefined || !groups.has(group)),
  );
}

/** Widths as one text, the same for equal widths. */
function writeWidths(widths: Widths): string {
  return Object.entries(widths)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, width]) => `${encodeURIComponent(name)}:${Math.round(width)}`)
    .join(',');
}

/** Reads what `writeWidths` has written; other text is left out. */
function readWidths(text: string): Widths {
  const widths = text.split(',').flatMap((one) => {
    const [, name = '', width = ''] = /^([\w.]+):(\d{1,4})$/.exec(one) ?? [];
    const pixels = Number(width);
    return pixels > 0 ? [[name, pixels] as const] : [];
  });
  return Object.fromEntries(widths);
}

function readColour(name: string, value: unknown): ColourRule | null {
  const [, field = '', op = ''] = COLOUR.exec(name) ?? [];
  if (!isOperator(op) || typeof value !== 'string') return null;
  const colour = COLOURS.find((known) => value.startsWith(`${known}:`));
  return colour ? { field, op, value: value.slice(colour.length + 1), colour } : null;
}

function count(value: unknown, least: number, most: number): number | undefined {
  const number = Number(text(value));
  return Number.isInteger(number) && number >= least && number <= most ? number : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function names(value: unknown): readonly string[] | undefined {
  const list = text(value)?.split(',').filter(Boolean);
  return list?.length ? list : undefined;
}
