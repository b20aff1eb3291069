import { type Control, useWatch } from 'react-hook-form';
import * as texts from '#messages/check-designer.ts';
import { Button } from '#web/ui/button.tsx';
import type { CollectionDefinition } from './collection-definition.ts';
import type { DefinitionValues } from './definition-form.ts';
import { useTryRule } from './definitions.mutations.ts';
import { ruleAsSaved } from './renamed-fields.ts';
import shared from '#web/ui/shared.module.css';
import checkClasses from './checks.module.css';
import classes from './definitions.module.css';

interface RuleTrialProps {
  readonly control: Control<DefinitionValues>;
  /** the position of the check in the list */
  readonly index: number;
  readonly definition: CollectionDefinition;
}

/** Counts the findings of an unsaved rule among the stored records, with examples. */
export function RuleTrial({ control, index, definition }: RuleTrialProps) {
  const fields = useWatch({ control, name: 'fields' });
  const rule = ruleAsSaved(useWatch({ control, name: `checks.${index}.rule` }), fields);
  const when = ruleAsSaved(useWatch({ control, name: `checks.${index}.when` }), fields);
  const { mutate, isPending, variables, data, error } = useTryRule(definition);
  const isCurrent = variables?.rule === rule && variables.when === when;
  const labelOf = (name: string) => {
    const label = fields.find(({ savedName }) => savedName === name)?.label.trim() ?? '';
    return label === '' ? name : label;
  };
  return (
    <div className={checkClasses.choices}>
      <div>
        <Button
          variant="default"
          loading={isPending}
          disabled={rule.trim() === ''}
          onClick={() => mutate({ rule, when })}
        >
          {texts.tryRule}
        </Button>
      </div>
      <div role="status">
        {isCurrent && error && <p className={shared.wrong}>{error.message}</p>}
        {isCurrent && data && (
          <>
            <p>{texts.wouldFind(data.count)}</p>
            <ul className={classes.examples} aria-label={texts.examples}>
              {data.examples.map(({ id, fields }) => (
                <li key={id}>
                  {texts.example({
                    id,
                    values: Object.entries(fields).map(
                      ([name, value]) => `${labelOf(name)} ${value ?? '–'}`,
                    ),
                  })}
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </div>
  );
}
