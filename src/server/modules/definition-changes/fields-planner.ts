import * as texts from '#messages/service/definitions.ts';
import { originalOf } from '#server/database/records/conversion.ts';
import type { RequestedDefinition, RequestedField } from '#shared/contract/configuration-bodies.ts';
import type { Message } from '#shared/messages/message.ts';
import type { IndexField, KeywordField } from '#shared/rules/definitions.ts';
import { isSameName, MAX_NAME_LENGTH, nameKey } from '#shared/rules/names.ts';
import { comparedFields } from './field-differences.ts';
import { movedElements } from './moved-elements.ts';
import { pathOfField } from '../definitions/name-problems.ts';
import type { PlannedChange, PlanProblems } from './planned-change.ts';
import {
  activeOf,
  addedFieldState,
  FIRST,
  type DefinitionState,
  type FieldState,
} from '../definitions/definition-state.ts';

type Part = 'fields' | 'keywordFields';

/** Plans the changes of index fields or columns, and of keyword fields, whose numbers are assigned together. */
export class FieldsPlanner {
  readonly changes: PlannedChange[] = [];
  nextNumber: number;
  readonly #state: DefinitionState;
  readonly #problems: PlanProblems;
  readonly #now: number;
  readonly #keepsMisfits: boolean;
  /** whether retired fields are superseded after the change, by number, where that changes */
  readonly #isSuperseded = new Map<number, boolean>();

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
    wanted: readonly RequestedField<Field>[],
    retiredBefore: RequestedDefinition['retiredBefore'] = [],
  ): FieldState<Field>[] {
    for (const { number, isSuperseded } of retiredBefore) {
      this.#isSuperseded.set(number, isSuperseded);
    }
    const sources = this.#sourcesOf(part, before, wanted);
    const claimed = new Set(sources.values());
    const left = before.filter((one) => !claimed.has(one));
    const active: FieldState<Field>[] = [];
    const retired = left.filter(({ retiredAt }) => retiredAt !== null);
    for (const one of wanted) {
      const source = sources.get(one);
      if (one.isRetired && one.renamedFrom === null) {
        if (source) retired.push(this.#retire(source, before));
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
      if (one.isRetired) {
        if (source) retired.push(this.#renameRetired(this.#retire(source, before), one.field.name));
      } else if (!source) active.push(this.#add(one.field));
      else active.push(...this.#change(source, one, retired, before));
    }
    for (const one of left) if (one.retiredAt === null) retired.push(this.#retire(one, before));
    this.#addMoves(before, active);
    const marked = retired.map((one) => ({
      ...one,
      isSuperseded: this.#isSuperseded.get(one.number) ?? one.isSuperseded,
    }));
    return [...active, ...marked.toSorted((a, b) => (a.retiredAt ?? 0) - (b.retiredAt ?? 0))];
  }

  /** The present field of each requested one. */
  #sourcesOf<Field extends IndexField | KeywordField>(
    part: Part,
    before: readonly FieldState<Field>[],
    wanted: readonly RequestedField<Field>[],
  ): Map<RequestedField<Field>, FieldState<Field>> {
    const sources = new Map<RequestedField<Field>, FieldState<Field>>();
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
    this.#note({ kind: 'add', field: field.name, number: null });
    return addedFieldState(this.#state, field, this.nextNumber++);
  }

  #retire<Field extends IndexField | KeywordField>(
    source: FieldState<Field>,
    before: readonly FieldState<Field>[],
  ): FieldState<Field> {
    if (source.retiredAt !== null) return source;
    const { field, number } = source;
    this.#note({ kind: 'retire', field: field.name, number, touchesValues: true });
    return { ...source, retiredAt: this.#now, stoodAfter: predecessorOf(source, before) };
  }

  #renameRetired<Field extends IndexField | KeywordField>(
    source: FieldState<Field>,
    name: string,
  ): FieldState<Field> {
    if (source.field.name === name) return source;
    this.#noteRename(name, source.number);
    return { ...source, field: { ...source.field, name } };
  }

  #change<Field extends IndexField | KeywordField>(
    source: FieldState<Field>,
    { field, readAs, originalNumber }: RequestedField<Field>,
    retired: FieldState<Field>[],
    before: readonly FieldState<Field>[],
  ): FieldState<Field>[] {
    const { number } = source;
    const about = { field: field.name, number };
    if (source.retiredAt !== null) this.#note({ kind: 'restore', ...about, touchesValues: true });
    if (source.field.name !== field.name) this.#noteRename(field.name, number);
    const { rules, described, isConverted, ...compared } = comparedFields(
      source.field,
      field,
      readAs,
      this.nextNumber,
    );
    const original = this.#originalOf(source, originalNumber, field);
    const check =
      compared.check?.kind === 'conversion' && original
        ? { ...compared.check, original }
        : compared.check;
    if (rules.length > 0) {
      const touchesValues = check !== null;
      this.#note({ kind: 'change', ...about, properties: rules, touchesValues, check });
    }
    if (described.length > 0) this.#note({ kind: 'describe', ...about, properties: described });
    if (!isConverted) return [{ ...source, field, retiredAt: null, stoodAfter: null }];
    retired.push({
      ...source,
      field: { ...source.field, name: nameBefore(source.field.name, before, retired) },
      retiredAt: this.#now,
      stoodAfter: source.retiredAt === null ? predecessorOf(source, before) : source.stoodAfter,
      isSuperseded: !this.#keepsMisfits,
    });
    const scale = 'type' in field ? field.scale : null;
    if (original) this.#isSuperseded.set(original.originalNumber, true);
    const conversion = {
      from: number,
      readAs,
      scale,
      ...(original && { original: original.originalNumber }),
    };
    return [addedFieldState(this.#state, field, this.nextNumber++, conversion)];
  }

  /** The field whose values a revert brings back into `field`, with the conversions of them since. */
  #originalOf(
    source: FieldState<unknown>,
    originalNumber: number | undefined,
    field: IndexField | KeywordField,
  ) {
    if (originalNumber === undefined) return undefined;
    const fields = this.#state.fields.map((stored) => ({ ...stored, type: stored.field.type }));
    const stored = fields.find(({ number }) => number === originalNumber);
    const original = originalOf(fields, originalNumber, source.number);
    if (!stored || !original) return undefined;
    const { check } = comparedFields(stored.field, field, null, this.nextNumber);
    return { ...original, narrowed: check?.kind === 'rules' ? check.rules : null };
  }

  /** The fields that have moved among the existing ones. */
  #addMoves<Field extends IndexField | KeywordField>(
    before: readonly FieldState<Field>[],
    after: readonly FieldState<Field>[],
  ): void {
    const previousIndexes = new Map(activeOf(before).map(({ number }, index) => [number, index]));
    const existing = after.flatMap(({ field, number, conversion }) => {
      const previousIndex =
        previousIndexes.get(number) ??
        (conversion ? previousIndexes.get(conversion.from) : undefined);
      return previousIndex === undefined ? [] : [{ name: field.name, number, previousIndex }];
    });
    for (const { name, number } of movedElements(existing)) {
      this.#note({ kind: 'reorder', field: name, number });
    }
  }

  #noteRename(field: string, number: number): void {
    this.#note({ kind: 'rename', field, number, properties: ['name'], touchesValues: true });
  }

  #note(change: Pick<PlannedChange, 'kind' | 'field' | 'number'> & Partial<PlannedChange>): void {
    this.changes.push({ properties: [], touchesValues: false, check: null, ...change });
  }

  #refuse(kind: keyof PlanProblems, path: string, message: Message): void {
    (this.#problems[kind][path] ??= []).push(message);
  }
}

/** The number of the field before an active one, also of one that was retired there, or `FIRST`. */
function predecessorOf<Field>(
  { number }: FieldState<Field>,
  before: readonly FieldState<Field>[],
): number {
  const active = activeOf(before);
  const index = active.findIndex((one) => one.number === number);
  let place = active[index - 1]?.number ?? FIRST;
  for (;;) {
    const retired = before.find((one) => one.stoodAfter === place && !one.isSuperseded);
    if (!retired) return place;
    place = retired.number;
  }
}

/** A name for a field that gives its own to another one, such as one with its converted values: `AMOUNT_before_1`. */
export function nameBefore(
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
