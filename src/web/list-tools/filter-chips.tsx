import * as texts from '#messages/list-tools.ts';
import { isBoolean, isText } from '#shared/values/registry.ts';
import { CloseIcon } from '../ui/icons.tsx';
import { formatFieldValue } from '../fields/field-model.ts';
import { splitList } from '#shared/rules/comma-list.ts';
import type { ListView } from '#web/api/list-view.ts';
import { periodLabel } from '#web/api/relative-dates.ts';
import { IconButton } from '../ui/button.tsx';
import { shownValue } from '../fields/value-text.ts';
import type { CollectionRef } from '#web/api/api-paths.ts';
import { checkConditionText, useCheckField } from './check-field.ts';
import { findByName } from '#shared/rules/names.ts';
import type { ListField } from './list-field.ts';
import classes from './list-toolbar.module.css';
import { type EditedCondition, groupConditions, type ConditionTest } from './condition-groups.ts';
import { testLabel, toSteps } from './operators.ts';

interface FilterChipsProps {
  readonly collection: CollectionRef;
  /** what the list can be filtered by */
  readonly fields: readonly ListField[];
  readonly view: ListView;
  readonly onViewChange: (view: ListView) => void;
  /** opens the conditions for editing */
  readonly onEdit: () => void;
}

/** The active conditions of the list, each with a button to remove it. */
export function FilterChips({
  collection,
  view,
  onViewChange,
  onEdit,
  ...props
}: FilterChipsProps) {
  const fields = [...props.fields, useCheckField(collection, props.fields)];
  const { where = [], q = '' } = view;
  return (
    <>
      {groupConditions(where).map((group) => {
        const words = texts.alternatives(
          toSteps(group).map(({ condition }) => conditionText(fields, condition)),
        );
        return (
          <span key={words} className={classes.chip}>
            <button type="button" className={classes.chipWords} title={words} onClick={onEdit}>
              {words}
            </button>
            <IconButton
              size={20}
              aria-label={texts.removeFilter(words)}
              onClick={() =>
                onViewChange({
                  ...view,
                  where: where.filter((condition) => !group.includes(condition)),
                })
              }
            >
              <CloseIcon size={12} />
            </IconButton>
          </span>
        );
      })}
      {q !== '' && (
        <span className={classes.chip}>
          <span className={classes.chipWords}>{texts.contains(q)}</span>
          <IconButton
            size={20}
            aria-label={texts.removeSearch(q)}
            onClick={() => onViewChange({ ...view, q: '' })}
          >
            <CloseIcon size={12} />
          </IconButton>
        </span>
      )}
    </>
  );
}

/** A condition as a sentence without its full stop: `Currency is CHF`. */
function conditionText(
  fields: readonly ListField[],
  { field: name, test, value }: EditedCondition,
): string {
  const field = findByName(fields, name);
  if (!field) return texts.conditionWords({ field: name, test, value });
  if (field.kind === 'check') return checkConditionText(field, { field: name, test, value });
  const shown = value === null ? null : conditionValueText(field, test, value);
  return texts.conditionWords({ field: field.label, test: testLabel(field, test), value: shown });
}

function conditionValueText(field: ListField, test: ConditionTest, value: string): string {
  const shown = (text: string) => formatFieldValue({ type: field.type, options: null }, text) ?? '';
  if (test === 'in') return splitList(value).map(shown).join(', ');
  if (test === 'within') return texts.quoted(periodLabel(value));
  if (test === 'between') return texts.between(splitList(value).map(shown));
  if (isBoolean(field)) return shownValue(field, value === 'true');
  return isText(field) ? texts.quoted(value) : shown(value);
}
