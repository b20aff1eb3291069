import * as texts from '#messages/check-designer.ts';
import { isNumber, isText } from '#shared/values/registry.ts';
import { type CheckValues, newCheckValues } from './check-form.ts';
import type { DesignedField } from './definition-form.ts';

/** The templates of new checks. */
export const TEMPLATES = ['rule', 'sum', 'order', 'lookup', 'pattern', 'duplicates'] as const;
export type Template = (typeof TEMPLATES)[number];

interface TemplateSurroundings {
  /** the active ones, without keyword fields */
  readonly fields: readonly DesignedField[];
  /** names of tables, by GUID */
  readonly tables: ReadonlyMap<string, string>;
  /** of the new check */
  readonly number: number;
}

/**
 * A check of a kind, with suitable fields of the definition. If there are too few, placeholders are left for the user.
 */
export function checkFrom(template: Template, surroundings: TemplateSurroundings): CheckValues {
  const name = texts.newCheck(surroundings.number);
  return newCheckValues({ name, ...BUILDERS[template](surroundings) });
}

const BUILDERS: Readonly<
  Record<Template, (surroundings: TemplateSurroundings) => Partial<CheckValues>>
> = {
  rule: ({ number }) => ({ label: texts.labelRule(number) }),
  sum({ fields }) {
    const [one, other, total] = three(fields.filter(isNumber));
    return {
      label: texts.labelSum({ parts: texts.listed(one.label, other.label), total: total.label }),
      rule: `${one.name} + ${other.name} = ${total.name}`,
    };
  },
  order({ fields }) {
    const [early, late] = three(fields.filter(({ type }) => type === 'date'));
    return {
      label: texts.labelOrder({ late: late.label, early: early.label }),
      rule: `${late.name} >= ${early.name}`,
    };
  },
  lookup({ fields, tables }) {
    const field = fields.find(({ optionsTable }) => optionsTable !== '');
    const { name, label } = field ?? three(fields)[0];
    const of = field?.optionsTable ?? 'TABLE';
    const table = tables.get(of) ?? of;
    const column = field?.optionsColumn ?? 'COLUMN';
    return { label: texts.labelLookup(label), rule: `${name} in ${table}.${column}` };
  },
  pattern({ fields }) {
    const [field] = three(fields.filter(isText));
    return {
      label: texts.labelPattern(field.label),
      rule: `${field.name} matches '[A-Z]{2}-[0-9]+'`,
    };
  },
  duplicates({ fields }) {
    const [one, other] = three(fields.filter(isText));
    return {
      label: texts.labelDuplicates(texts.listed(one.label, other.label)),
      findsDuplicates: true,
      duplicates: `${one.name}, ${other.name}`,
      ignore: ['case', 'spaces'],
    };
  },
};

type Named = Pick<DesignedField, 'name' | 'label'>;

/** The first three fields; letters stand for missing ones. */
function three(fields: readonly DesignedField[]): readonly [Named, Named, Named] {
  const [one = letter('A'), other = letter('B'), third = letter('C')] = fields;
  return [one, other, third];
}

const letter = (name: string): Named => ({ name, label: name });
