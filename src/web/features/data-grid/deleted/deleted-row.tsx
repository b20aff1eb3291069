import { Checkbox } from '#web/ui/inputs/checkbox.tsx';
import type { Column } from '#shared/rules/definitions.ts';
import type { DeletedDataset } from '#shared/contract/table-analysis-answers.ts';
import { toStored, scalarOf } from '#web/fields/history/entry-changes.ts';
import { PersonName } from '#web/ui/person-name.tsx';
import { localInstant, shownValue } from '#web/fields/value-text.ts';
import shared from '#web/ui/shared.module.css';
import classes from './deleted.module.css';
import { RichText } from '#web/ui/rich-text.tsx';
import * as texts from '#messages/deleted-records.ts';

interface DeletedRowProps {
  readonly dataset: DeletedDataset;
  readonly columns: readonly Column[];
  /** whether the signed-in user deleted it */
  readonly isOwn: boolean;
  readonly picked: boolean;
  /** null: the user may not restore it */
  readonly onPick: (() => void) | null;
  readonly onOpen: () => void;
}

/** How many values distinguish datasets. */
const MAX_VALUES = 4;

/** One deleted dataset: its first values, who deleted it and when. */
export function DeletedRow({ dataset, columns, isOwn, picked, onPick, onOpen }: DeletedRowProps) {
  const { jrid, at, changes } = dataset;
  const values = columns.flatMap((column) => {
    const change = changes.find(({ name }) => name === column.name);
    const text = change ? shownValue(column, scalarOf(toStored(change.before))) : '';
    return text === '' ? [] : [text];
  });
  return (
    <li className={classes.row}>
      <Checkbox
        aria-label={texts.choose(jrid)}
        checked={picked}
        disabled={onPick === null}
        onChange={() => onPick?.()}
      />
      <button type="button" className={classes.open} onClick={onOpen}>
        <span className={classes.values}>
          <b>{jrid}</b> {values.slice(0, MAX_VALUES).join(' · ')}
        </span>
        <span className={shared.note}>
          {isOwn ? (
            texts.byYou(localInstant(at))
          ) : (
            <RichText
              text={texts.by({
                person: <PersonName username={dataset.user} />,
                at: localInstant(at),
              })}
            />
          )}
        </span>
      </button>
    </li>
  );
}
