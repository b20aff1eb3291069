import * as texts from '#messages/service/definitions.ts';
import type { CHANGE_KINDS } from '#shared/contract/configuration-definitions.ts';
import type { WantedDefinition, WantedField } from '#shared/contract/configuration-bodies.ts';
import type { MessagesByPath } from '#shared/contract/errors.ts';
import type { Message } from '#shared/messages/message.ts';
import type { IndexField, KeywordField } from '#shared/rules/definitions.ts';
import { isSameName, nameKey } from '#shared/rules/names.ts';
import { renameInCheck } from './check-problems.ts';
import { nameProblems, pathOfField } from './name-problems.ts';
import { comparedFields, type FieldCheck } from './field-differences.ts';
import { movedElements } from './moved-elements.ts';
import {
  newHistoryName,
  type AnyField,
  type DefinitionState,
  type FieldState,
} from './stored-definition.ts';

/** One change of a definition, before what it means for stored values is known. */
export interface PlannedChange {
  readonly kind: (typeof CHANGE_KINDS)[number];
  /** the name that the field gets, or has where it is retired; null: the archive or table itself */
  readonly field: string | null;
  readonly properties: readonly string[];
  /** the number of the field before the change; null: it is new, or the change is of the archive or table itself */
  readonly number: number | null;
  /** whether the change touches all values of the field */
  readonly touchesValues: boolean;
  /** what stored values have to meet; null: all do */
  readonly check: FieldCheck | null;
}

export interface DefinitionPlan {
  readonly before: DefinitionState;
  /** what the definition becomes */
  readonly after: DefinitionState;
  readonly changes: readonly PlannedChange[];
}

export function isPlan(planned: DefinitionPlan | PlanProblems): planned is DefinitionPlan {
  return 'after' in planned;
}

/** Why a definition cannot become what is wanted, whatever is stored. */
export interface PlanProblems {
  readonly invalid: MessagesByPath;
  readonly taken: MessagesByPath;
}

interface PlanOptions {
  /** milliseconds since 1970 UTC */
  readonly now: number;
  /** whether values that misfit are accepted; then the fields that were converted stay, retired */
  readonly keepsMisfits: boolean;
}

/**
 * Compares a definition with what it is to become (docs/interface/administration.md, section 1). Fields are recognised by
 * their names before the change, so that two of them can be swapped.
 */
export function planDefinition(
  before: DefinitionState,
  wanted: WantedDefinition,
  { now, keepsMisfits }: PlanOptions,
): DefinitionPlan | PlanProblems {
  const problems: PlanProblems = { invalid: {}, taken: {} };
  const planner = new FieldsPlanner(before, problems, now, keepsMisfits);
  const fields = planner.plan('fields', before.fields, wanted.fields);
  const keywordFields = planner.plan('keywordFields', before.keywordFields, wanted.keywordFields);
  if (wanted.guid !== null && !isSameName(wanted.guid, before.guid)) {
    problems.invalid['guid'] = [texts.guidStays];
  }
  const rename = renamerOf(wanted.fields);
  const isOwn = (name: string) => before.kind === 'table' && isSameName(name, before.name);
  const after: DefinitionState = {
    ...before,
    name: wanted.name,
    label: wanted.label,
    description: wanted.description,
    uniqueTogether: wanted.uniqueTogether.map((names) => names.map(rename)),
    checks: (wanted.checks ?? before.checks).map((check) =>
      renameInCheck(check, {
        field: rename,
        // A table's rules may look values up in the table itself.
        table: (name) => (isOwn(name) ? wanted.name : undefined),
        column: (table, column) => (isOwn(table) ? rename(column) : undefined),
      }),
    ),
    checksOff: wanted.checksOff ?? before.checksOff,
    fields: fields.map((one) => ({ ...one, field: withFills(one.field, rename) })),
    keywordFields,
    nextNumber: planner.nextNumber,
    version: before.version + 1,
  };
  const known = before.fields.map(({ number }) => number);
  Object.assign(problems.invalid, nameProblems(after, known));
  if (Object.keys({ ...problems.invalid, ...problems.taken }).length > 0) return problems;
  return { before, after, changes: [...wholeChanges(before, after), ...planner.changes] };
}

/** Finds the name that a field has after the change, for those who still name it as before. */
function renamerOf(wanted: readonly WantedField<AnyField>[]): (name: string) => string {
  const renamed = new Map(
    wanted.flatMap(({ field, renamedFrom }) =>
      renamedFrom === null ? [] : [[nameKey(renamedFrom), field.name] as const],
    ),
  );
  const kept = new Set(wanted.map(({ field }) => nameKey(field.name)));
  return (name) => (kept.has(nameKey(name)) ? name : (renamed.get(nameKey(name)) ?? name));
}

function withFills(field: AnyField, rename: (name: string) => string): AnyField {
  if (!field.optionsFrom) return field;
  const fills = Object.entries(field.optionsFrom.fills).map(([own, other]) => [rename(own), other]);
  return { ...field, optionsFrom: { ...field.optionsFrom, fills: Object.fromEntries(fills) } };
}

function wholeChanges(before: DefinitionState, after: DefinitionState): PlannedChange[] {
  const whole = { field: null, number: null, touchesValues: false, check: null };
  const changes: PlannedChange[] = [];
  const isArchive = before.kind === 'archive';
  if (before.name !== after.name) {
    changes.push({ ...whole, kind: 'rename', properties: [isArchive ? 'table' : 'name'] });
  }
  const described = [
    ...(before.label === after.label ? [] : [isArchive ? 'name' : 'label']),
    ...(before.description === after.description ? [] : ['description']),
  ];
  const ofChecks = checksChanged(before, after);
  if (ofChecks === 'describe') described.push('checks');
  if (described.length > 0) changes.push({ ...whole, kind: 'describe', properties: described });
  const changed = [
    ...(ofChecks === 'change' ? ['checks'] : []),
    ...(isSameJson(before.checksOff, after.checksOff) ? [] : ['checksOff']),
  ];
  if (changed.length > 0) changes.push({ ...whole, kind: 'change', properties: changed });
  const groups = groupsOf(before);
  const added = groupsOf(after).filter((group) => !groups.some((old) => isSameGroup(old, group)));
  for (const numbers of added) {
    const check = { kind: 'uniqueTogether', numbers } as const;
    changes.push({ ...whole, kind: 'change', properties: ['uniqueTogether'], check });
  }
  if (added.length === 0 && groups.length !== groupsOf(after).length) {
    changes.push({ ...whole, kind: 'change', properties: ['uniqueTogether'] });
  }
  return changes;
}

/** Whether checks are only called otherwise, or other records are found or marked; null: they stay as they are. */
function checksChanged(
  before: DefinitionState,
  after: DefinitionState,
): 'describe' | 'change' | null {
  if (isSameJson(before.checks, after.checks)) return null;
  const withoutLabels = (checks: DefinitionState['checks']) =>
    checks.map((check) => ({ ...check, label: '' }));
  return isSameJson(withoutLabels(before.checks), withoutLabels(after.checks))
    ? 'describe'
    : 'change';
}

function isSameJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The columns that are unique together, by their numbers. */
function groupsOf({ fields, uniqueTogether }: DefinitionState): number[][] {
  return uniqueTogether.map((names) =>
    names.flatMap((name) => {
      const found = fields.find(
        ({ field, retiredAt }) => retiredAt === null && isSameName(field.name, name),
      );
      return found ? [found.number] : [];
    }),
  );
}

function isSameGroup(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((number) => other.includes(number));
}

type Part = 'fields' | 'keywordFields';

/** Plans index fields or columns, and keyword fields, whose numbers are given out together. */
class FieldsPlanner {
  readonly changes: PlannedChange[] = [];
  nextNumber: number;
  readonly #state: DefinitionState;
  readonly #problems: PlanProblems;
  readonly #now: number;
  readonly #keepsMisfits: boolean;

  constructor(state: DefinitionState, problems: PlanProblems, now: number, keepsMisfits: boolean) {
    this.#state = state;
    this.#problems = problems;
    this.#now = now;
    this.#keepsMisfits = keepsMisfits;
    this.nextNumber = state.nextNumber;
  }

  plan<Field extends IndexField | KeywordField>(
    part: Part,
    before: readonly FieldState<Field>[],
    wanted: readonly WantedField<Field>[],
  ): FieldState<Field>[] {
    const sources = this.#sourcesOf(part, before, wanted);
    const claimed = new Set(sources.values());
    const left = before.filter((one) => !claimed.has(one));
    const active: FieldState<Field>[] = [];
    const retired = left.filter(({ retiredAt }) => retiredAt !== null);
    for (const one of wanted) {
      const source = sources.get(one);
      if (one.isRetired) {
        if (source) retired.push(this.#retire(source));
        continue;
      }
      const holder = left.find(({ field }) => isSameName(field.name, one.field.name));
      if (holder) {
        this.#refuse(
          'taken',
          pathOfField(this.#state, part, one.field.name),
          texts.nameOfRetired({ name: holder.field.name }),
        );
      }
      if (!source) active.push(this.#add(one.field));
      else active.push(...this.#change(source, one, retired, before));
    }
    for (const one of left) if (one.retiredAt === null) retired.push(this.#retire(one));
    this.#addMoves(before, active);
    return [...active, ...retired.toSorted((a, b) => (a.retiredAt ?? 0) - (b.retiredAt ?? 0))];
  }

  /** The field that each wanted one has been so far. */
  #sourcesOf<Field extends IndexField | KeywordField>(
    part: Part,
    before: readonly FieldState<Field>[],
    wanted: readonly WantedField<Field>[],
  ): Map<WantedField<Field>, FieldState<Field>> {
    const sources = new Map<WantedField<Field>, FieldState<Field>>();
    const byName = new Map(before.map((one) => [nameKey(one.field.name), one]));
    const claimed = new Set<FieldState<Field>>();
    for (const one of wanted) {
      if (one.renamedFrom === null) continue;
      const source = byName.get(nameKey(one.renamedFrom));
      const path = pathOfField(this.#state, part, one.field.name);
      if (!source || source.isSuperseded) {
        this.#refuse('invalid', path, texts.nothingToRename({ name: one.renamedFrom }));
      } else if (claimed.has(source)) {
        this.#refuse('invalid', path, texts.renamedTwice({ name: source.field.name }));
      } else {
        claimed.add(source);
        sources.set(one, source);
      }
    }
    for (const one of wanted) {
      if (one.renamedFrom !== null) continue;
      const source = byName.get(nameKey(one.field.name));
      if (source && !source.isSuperseded && !claimed.has(source)) sources.set(one, source);
    }
    return sources;
  }

  #add<Field extends IndexField | KeywordField>(field: Field): FieldState<Field> {
    this.#note('add', field.name, [], null);
    return this.#identify(field, null);
  }

  #retire<Field extends IndexField | KeywordField>(source: FieldState<Field>): FieldState<Field> {
    if (source.retiredAt !== null) return source;
    this.#note('retire', source.field.name, [], source.number, true);
    return { ...source, retiredAt: this.#now };
  }

  #change<Field extends IndexField | KeywordField>(
    source: FieldState<Field>,
    { field, readAs }: WantedField<Field>,
    retired: FieldState<Field>[],
    before: readonly FieldState<Field>[],
  ): FieldState<Field>[] {
    const { number } = source;
    if (source.retiredAt !== null) this.#note('restore', field.name, [], number, true);
    if (source.field.name !== field.name) this.#note('rename', field.name, ['name'], number, true);
    const { rules, described, check, isConverted } = comparedFields(source.field, field, readAs);
    if (rules.length > 0) {
      this.#note('change', field.name, rules, number, check !== null, check);
    }
    if (described.length > 0) this.#note('describe', field.name, described, number);
    if (!isConverted) return [{ ...source, field, retiredAt: null }];
    retired.push({
      ...source,
      field: { ...source.field, name: nameBefore(source.field.name, before, retired) },
      retiredAt: this.#now,
      isSuperseded: !this.#keepsMisfits,
    });
    const scale = 'type' in field ? field.scale : null;
    return [this.#identify(field, { from: number, readAs, scale })];
  }

  #identify<Field extends IndexField | KeywordField>(
    field: Field,
    conversion: FieldState<Field>['conversion'],
  ): FieldState<Field> {
    const number = this.nextNumber++;
    const all = [...this.#state.fields, ...this.#state.keywordFields];
    return {
      field,
      number,
      historyName: newHistoryName(all, field.name, number),
      retiredAt: null,
      conversion,
      isSuperseded: false,
    };
  }

  /** Fields that have moved among those that were there before. */
  #addMoves<Field extends IndexField | KeywordField>(
    before: readonly FieldState<Field>[],
    after: readonly FieldState<Field>[],
  ): void {
    const places = new Map(
      before
        .filter(({ retiredAt }) => retiredAt === null)
        .map(({ number }, place) => [number, place] as const),
    );
    const there = after.flatMap(({ field, number, conversion }) => {
      const place = places.get(conversion ? conversion.from : number) ?? places.get(number);
      return place === undefined ? [] : [{ name: field.name, number, place }];
    });
    for (const { name, number } of movedElements(there)) this.#note('reorder', name, [], number);
  }

  #note(
    kind: PlannedChange['kind'],
    field: string,
    properties: readonly string[],
    number: number | null,
    touchesValues = false,
    check: FieldCheck | null = null,
  ): void {
    this.changes.push({ kind, field, properties, number, touchesValues, check });
  }

  #refuse(kind: keyof PlanProblems, path: string, message: Message): void {
    (this.#problems[kind][path] ??= []).push(message);
  }
}

const MAX_NAME_LENGTH = 63;

/** A name for a field whose values were converted: `AMOUNT_before_1`. */
function nameBefore(
  name: string,
  ...taken: readonly (readonly FieldState<{ readonly name: string }>[])[]
): string {
  const names = new Set(taken.flat().map(({ field }) => nameKey(field.name)));
  for (let count = 1; ; count++) {
    const end = `_before_${count}`;
    const wanted = name.slice(0, MAX_NAME_LENGTH - end.length) + end;
    if (!names.has(nameKey(wanted))) return wanted;
  }
}
