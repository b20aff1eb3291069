import { type UseFormReturn, useWatch } from 'react-hook-form';
import * as texts from '#messages/check-designer.ts';
import { IGNORED_IN_DUPLICATES, SEVERITIES } from '#shared/rules/check-words.ts';
import { Button } from '#web/ui/button.tsx';
import { ChoicesField } from '#web/ui/form/choices-field.tsx';
import { TextField, TextAreaField } from '#web/ui/form/form-fields.tsx';
import { SelectField } from '#web/ui/form/select-field.tsx';
import { optionsOf } from '#web/ui/inputs/select.tsx';
import type { CollectionDefinition } from './collection-definition.ts';
import type { DefinitionValues } from './definition-form.ts';
import { RuleField } from './rule-field.tsx';
import { RuleTrial } from './rule-trial.tsx';
import shared from '#web/ui/shared.module.css';
import checkClasses from './checks.module.css';
import classes from './definitions.module.css';

const SEVERITY_OPTIONS = optionsOf(SEVERITIES, texts.severities);
const DIFFERENCE_OPTIONS = optionsOf(IGNORED_IN_DUPLICATES, texts.differences);

interface CheckPropertiesProps {
  readonly form: UseFormReturn<DefinitionValues>;
  /** the position of the check in the list */
  readonly index: number;
  /** null: not saved yet */
  readonly saved: CollectionDefinition | null;
  readonly onRemove: () => void;
}

/** All properties of one check. */
export function CheckProperties(props: CheckPropertiesProps) {
  const {
    form: { control },
    index,
    saved,
    onRemove,
  } = props;
  const at = `checks.${index}` as const;
  const name = useWatch({ control, name: `${at}.name` });
  const findsDuplicates = useWatch({ control, name: `${at}.findsDuplicates` });
  return (
    <fieldset className={`${classes.properties} ${checkClasses.properties}`}>
      <legend className={shared.quietHeading}>{name}</legend>
      <TextField
        control={control}
        name={`${at}.label`}
        label={texts.label}
        description={texts.labelHint}
      />
      {findsDuplicates ? (
        <>
          <TextAreaField
            control={control}
            name={`${at}.duplicates`}
            label={texts.duplicates}
            description={texts.duplicatesHint}
          />
          <ChoicesField
            control={control}
            name={`${at}.ignore`}
            label={texts.ignored}
            options={DIFFERENCE_OPTIONS}
          />
        </>
      ) : (
        <>
          <RuleField control={control} name={`${at}.rule`} label={texts.rule} />
          <SelectField
            control={control}
            name={`${at}.severity`}
            label={texts.severity}
            options={SEVERITY_OPTIONS}
          />
        </>
      )}
      <RuleField
        control={control}
        name={`${at}.when`}
        label={texts.when}
        description={texts.whenHint}
      />
      {saved && !findsDuplicates && (
        <RuleTrial control={control} index={index} definition={saved} />
      )}
      <TextField
        control={control}
        name={`${at}.fields`}
        label={texts.fields}
        description={texts.fieldsHint}
        spellCheck={false}
      />
      <TextField
        control={control}
        name={`${at}.name`}
        label={texts.name}
        description={texts.nameHint}
        required
      />
      <div>
        <Button variant="light" color="red" onClick={onRemove}>
          {texts.remove}
        </Button>
      </div>
    </fieldset>
  );
}
