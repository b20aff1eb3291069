import { isSameJson } from '#server/lib/same-json.ts';
import type { RequestedDefinition, RequestedField } from '#shared/contract/configuration-bodies.ts';
import { isSameRule, type RuleRenames } from '#shared/checks/rule-names.ts';
import type { CheckDefinition } from '#shared/rules/check-definitions.ts';
import { findByName, isSameName, nameKey } from '#shared/rules/names.ts';
import { renameInCheck, renameInLookup } from '../definitions/check-problems.ts';
import {
  formerOf,
  type AnyField,
  type DefinitionState,
  type FieldState,
} from '../definitions/definition-state.ts';

/** The parts of a check that name fields. */
const PARTS = ['rule', 'when', 'fields', 'duplicates'] as const satisfies (keyof CheckDefinition)[];

/**
 * Renames fields in everything of a definition that refers to them: rules, columns unique together, look-ups. A part that is
 * sent unchanged follows its fields, even if two swap names. A changed part is read with the new names; an old name that
 * no field has any more means the renamed field.
 */
export class DefinitionRenames {
  readonly #before: DefinitionState;
  readonly #wanted: RequestedDefinition;
  /** the names after the change, by those before in lower case */
  readonly #renamed: ReadonlyMap<string, string>;
  readonly #names: ReadonlySet<string>;

  constructor(before: DefinitionState, wanted: RequestedDefinition) {
    this.#before = before;
    this.#wanted = wanted;
    this.#renamed = new Map(wanted.fields.flatMap(renameOf));
    this.#names = new Set(wanted.fields.map(({ field }) => nameKey(field.name)));
  }

  /** The checks before the change, under the names after it. */
  previousChecksRenamed(): CheckDefinition[] {
    return this.#before.checks.map((check) =>
      renameInCheck(check, this.#renames(this.#renameUnchanged)),
    );
  }

  /** The checks after the change. */
  checks(): CheckDefinition[] {
    return (this.#wanted.checks ?? this.#before.checks).map((check) => {
      const before = findByName(this.#before.checks, check.name);
      const followed = renameInCheck(check, this.#renames(this.#renameUnchanged));
      const isUnchanged = (part: (typeof PARTS)[number]) =>
        before !== undefined && check[part] !== undefined && isSameJson(check[part], before[part]);
      return {
        ...renameInCheck(check, this.#renames(this.#renameChanged)),
        ...(isUnchanged('rule') && { rule: followed.rule }),
        ...(isUnchanged('when') && { when: followed.when }),
        ...(isUnchanged('fields') && { fields: followed.fields }),
        ...(isUnchanged('duplicates') && { duplicates: followed.duplicates }),
      };
    });
  }

  uniqueTogether(): string[][] {
    return this.#wanted.uniqueTogether.map((names) => {
      const isUnchanged = this.#before.uniqueTogether.some((before) => isSameJson(before, names));
      return names.map(isUnchanged ? this.#renameUnchanged : this.#renameChanged);
    });
  }

  /** A field of the definition after the change, whose look-up names fields of the same definition. */
  lookup(state: FieldState<AnyField>): FieldState<AnyField> {
    const { field } = state;
    const before = formerOf(this.#before.fields, state);
    const isUnchanged = isSameJson(before?.field.optionsFrom, field.optionsFrom);
    const rename = isUnchanged ? this.#renameUnchanged : this.#renameChanged;
    return { ...state, field: renameInLookup(field, this.#renames(rename)) };
  }

  readonly #renameUnchanged = (name: string): string => this.#renamed.get(nameKey(name)) ?? name;

  readonly #renameChanged = (name: string): string =>
    this.#names.has(nameKey(name)) ? name : this.#renameUnchanged(name);

  /** A table's rules may look values up in the table itself. */
  #renames(rename: (name: string) => string): RuleRenames {
    const field = (name: string) => {
      const renamed = rename(name);
      return renamed === name ? undefined : renamed;
    };
    return {
      field,
      table: (name) => (this.#isOwn(name) ? this.#wanted.name : undefined),
      column: (table, column) => (this.#isOwn(table) ? field(column) : undefined),
    };
  }

  #isOwn(table: string): boolean {
    return this.#before.kind === 'table' && isSameName(table, this.#before.name);
  }
}

function renameOf({ field, renamedFrom }: RequestedField<AnyField>): (readonly [string, string])[] {
  return renamedFrom === null ? [] : [[nameKey(renamedFrom), field.name]];
}

/** Which parts of checks are unchanged, except for names of renamed fields: `checks.SUM.rule`. */
export function unchangedParts(
  followed: readonly CheckDefinition[],
  after: readonly CheckDefinition[],
): ReadonlySet<string> {
  return new Set(
    after.flatMap((check) => {
      const before = findByName(followed, check.name);
      return PARTS.filter((part) => before && isSamePart(check[part], before[part])).map(
        (part) => `checks.${check.name}.${part}`,
      );
    }),
  );
}

type Part = CheckDefinition[(typeof PARTS)[number]];

function isSamePart(one: Part, other: Part): boolean {
  if (typeof one === 'string' && typeof other === 'string') return isSameRule(one, other);
  return isSameJson(namesOf(one), namesOf(other));
}

/** Lists of names without regard to case. */
function namesOf(part: Part): unknown {
  if (!Array.isArray(part)) return part;
  return part.map((item) => (typeof item === 'string' ? nameKey(item) : item.map(nameKey)));
}
