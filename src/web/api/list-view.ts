import { OPERATORS, type Operator } from '#shared/values/value-type.ts';
import { limitsOf, readWithin } from './relative-dates.ts';

/** The operators of the interface, and `within` a relative period, which exists only in the web admin. */
export type ListOperator = Operator | 'within';

/** One filter as written in an address: the value is text, which the server parses by the field's type. */
export interface Where {
  /** an index field or column, `keyword.NAME`, or `revisionId`, `jrid`, `changedAt`, `changedBy` */
  readonly field: string;
  readonly op: ListOperator;
  readonly value: string;
  /** conditions of the same group are alternatives, one of which must be met; undefined: this condition must be met */
  readonly group?: number;
}

/** One filter in the form of the service. */
interface ServiceWhere extends Where {
  readonly op: Operator;
}

/**
 * What a list shows, as written in the page's address; a link reproduces it. It uses the names of the API's list
 * parameters (docs/interface/decisions.md, section 6), so both stay the same; except `within`, which is resolved when
 * the list is read.
 */
export interface ListView {
  readonly where?: readonly Where[];
  readonly q?: string;
  /** `NAME` or `-NAME`, the most important first */
  readonly sort?: readonly string[];
  /** the visible columns in order; undefined: the default columns */
  readonly columns?: readonly string[];
  /** the revisionId or jrid whose form is open */
  readonly selected?: string;
  /** the id of the saved view from which it started */
  readonly view?: string;
  /** widths in pixels of the columns that the user has resized, by name; in an address `NAME:PIXELS,…` */
  readonly widths?: Widths;
  /** how many columns are pinned to the left edge */
  readonly frozen?: number;
  /** in a grid: lines per row, 2 to 4; undefined: one */
  readonly lines?: number;
  /** in a grid: rules for the colours of cells; the first rule that applies wins */
  readonly colours?: readonly ColourRule[];
}

/** Column widths in pixels, by name. */
type Widths = Readonly<Record<string, number>>;

export const COLOURS = ['red', 'yellow', 'green', 'blue'] as const;
export type Colour = (typeof COLOURS)[number];

/** Colours the cells of a column whose values meet a condition. */
export interface ColourRule extends ServiceWhere {
  readonly colour: Colour;
}

/** The parsed search of an address: plain texts, never converted to other types. */
export type RawSearch = Record<string, string>;

/** A condition, or an alternative with its group number; a trailing number distinguishes equal names. */
const WHERE =
  /^(?:where|or\[(?<group>\d{1,4})\])\[(?<field>[^[\]]+)\]\[(?<op>[A-Za-z]+)\](?:\[\d+\])?$/;
const COLOUR = /^colour\[([^[\]]+)\]\[([A-Za-z]+)\](?:\[\d+\])?$/;
function isOperator(op: string): op is Operator {
  return OPERATORS.some((operator) => operator === op);
}

/**
 * The next view, or a function of the previous one: actions in quick succession, such as clicks on a heading, build on
 * each other's result, even before it is rendered.
 */
export type ViewChange = ListView | ((before: ListView) => ListView);

/** Parses a view from an address and ignores unknown parameters. */
export function readListView(search: Readonly<Record<string, unknown>>): ListView {
  const where: Where[] = [];
  const colours: ColourRule[] = [];
  for (const [name, value] of Object.entries(search)) {
    const { group, field = '', op = '' } = WHERE.exec(name)?.groups ?? {};
    if (typeof value !== 'string') continue;
    if (isOperator(op)) {
      where.push({ field, op, value, ...(group === undefined ? {} : { group: Number(group) }) });
    } else if (op === 'within' && group === undefined && readWithin(value)) {
      // A period becomes two conditions of the service, which cannot be alternatives.
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

/** Writes a view as the search of an address; the inverse of `readListView`. */
export function writeListView(view: ListView): RawSearch {
  const search: RawSearch = {};
  const occurrences = new Map<string, number>();
  // A repeated condition needs distinct names in an address; the API accepts repeated names.
  const put = (name: string, value: string) => {
    const previous = occurrences.get(name) ?? 0;
    occurrences.set(name, previous + 1);
    search[previous === 0 ? name : `${name}[${previous}]`] = value;
  };
  for (const where of view.where ?? []) put(whereName(where), where.value);
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

/** Whether a filter has the form of the service. */
export function isServiceWhere(where: Where): where is ServiceWhere {
  return where.op !== 'within';
}

/** The filters in the form of the service: a period becomes the days or moments that it covers now. */
export function resolveWhere(where: readonly Where[]): readonly ServiceWhere[] {
  return where.flatMap((condition): readonly ServiceWhere[] => {
    if (isServiceWhere(condition)) return [condition];
    const period = readWithin(condition.value);
    return period
      ? limitsOf(period, new Date()).map((limit) => ({ field: condition.field, ...limit }))
      : [];
  });
}

/** The parts of a view that determine the records and their order. */
export interface ListFilter extends Pick<ListView, 'where' | 'q' | 'sort'> {}

/** Whether a view leaves records out. */
export function isFiltered({ where = [], q }: ListFilter): boolean {
  return Boolean(q) || where.length > 0;
}

/** Further parameters of a list call, such as `limit` and `offset`; empty ones and false are left out. */
export type ListParameters = Readonly<Record<string, string | number | boolean>>;

/** The query string of a list call, with its `?`; '' without parameters. */
export function listQueryString(view: ListFilter, further: ListParameters = {}): string {
  const written = listQuery(view, further);
  return written === '' ? '' : `?${written}`;
}

/** The same without the `?`, as in the body of a request. */
export function listQuery(view: ListFilter, further: ListParameters = {}): string {
  const parameters = new URLSearchParams();
  for (const where of resolveWhere(view.where ?? []))
    parameters.append(whereName(where), where.value);
  if (view.q) parameters.set('q', view.q);
  if (view.sort?.length) parameters.set('sort', view.sort.join(','));
  for (const [name, value] of Object.entries(further)) {
    if (value !== '' && value !== false) parameters.set(name, String(value));
  }
  return parameters.toString();
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

/** Widths as one text, equal for equal widths. */
function writeWidths(widths: Widths): string {
  return Object.entries(widths)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, width]) => `${encodeURIComponent(name)}:${Math.round(width)}`)
    .join(',');
}

/** Parses the text of `writeWidths`; invalid parts are ignored. */
function readWidths(text: string): Widths {
  const widths = text.split(',').flatMap((part) => {
    const [, name = '', width = ''] = /^([\w.]+):(\d{1,4})$/.exec(part) ?? [];
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

function count(value: unknown, minimum: number, maximum: number): number | undefined {
  const number = Number(text(value));
  return Number.isInteger(number) && number >= minimum && number <= maximum ? number : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function names(value: unknown): readonly string[] | undefined {
  const list = text(value)?.split(',').filter(Boolean);
  return list?.length ? list : undefined;
}
