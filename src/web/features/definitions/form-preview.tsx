import { useState } from 'react';
import { type Control, useWatch } from 'react-hook-form';
import * as texts from '#messages/designer.ts';
import { FieldGroups } from '#web/fields/field-groups.tsx';
import { fieldProblem } from '#web/fields/field-model.ts';
import { ValueEditor } from '#web/fields/value-editor.tsx';
import { ValueTypeIcon } from '#web/fields/value-type-icon.tsx';
import { needPatternsOf } from '#web/api/patterns.ts';
import { Field } from '#web/ui/field.tsx';
import {
  type DefinitionValues,
  type DesignedField,
  layoutOfValues,
  rulesOf,
} from './definition-form.ts';
import shared from '#web/ui/shared.module.css';
import classes from './definitions.module.css';

/** The form as clerks will see it. Typed text is validated; nothing is saved. */
export function FormPreview({ control }: { readonly control: Control<DefinitionValues> }) {
  const fields = useWatch({ control, name: 'fields' });
  const shown = fields.filter(
    ({ retiredAt, isKeywordField }) => retiredAt === null && !isKeywordField,
  );
  return (
    <section className={classes.preview} aria-label={texts.preview}>
      <h2 className={shared.quietHeading}>{texts.preview}</h2>
      <p className={shared.note}>{texts.previewHint}</p>
      <FieldGroups
        fields={shown}
        keyOf={(field) => `${field.savedName ?? fields.indexOf(field)} ${field.type}`}
        layoutOf={layoutOfValues}
      >
        {(field) => <PreviewField field={field} />}
      </FieldGroups>
    </section>
  );
}

function PreviewField({ field }: { readonly field: DesignedField }) {
  const [value, setValue] = useState<string | null>(null);
  const rules = rulesOf(field);
  // The pattern engine is loaded with the first pattern.
  needPatternsOf([rules]);
  const problem = value === null ? null : fieldProblem(rules, value);
  return (
    <Field
      label={field.label || field.name}
      icon={<ValueTypeIcon type={field.type} />}
      required={field.required}
      description={field.description}
      errors={problem === null ? [] : [problem]}
    >
      {(controlProps) => (
        <ValueEditor control={controlProps} rules={rules} value={value} onChange={setValue} />
      )}
    </Field>
  );
}
