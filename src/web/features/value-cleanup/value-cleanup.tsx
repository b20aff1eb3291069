import { useState } from 'react';
import * as texts from '#messages/value-cleanup.ts';
import { isFiltered, type ListFilter } from '#web/api/list-view.ts';
import { Button } from '#web/ui/button.tsx';
import { SegmentedControl } from '#web/ui/inputs/segmented-control.tsx';
import { AllValues } from './all-values.tsx';
import type { CleanupChoices, Replacement } from './cluster-choices.ts';
import type { CleanedField } from './cleaned-field.ts';
import { Remembered } from './remembered.tsx';
import { Clusters } from './clusters.tsx';
import type { Distance } from './value-cleanup.queries.ts';
import shared from '#web/ui/shared.module.css';
import area from '#web/ui/work-area.module.css';
import classes from './value-cleanup.module.css';

type Shown = Distance | 'all' | 'remembered';

const SHOWN = [
  { value: '0', label: texts.equalWords },
  { value: '1', label: texts.oneLetter },
  { value: '2', label: texts.twoLetters },
  { value: 'all', label: texts.allValues },
  { value: 'remembered', label: texts.remembered },
] as const;

interface ValueCleanupProps {
  readonly field: CleanedField;
  /** the filter of the list from which the user comes */
  readonly filter: ListFilter;
  readonly chosen: CleanupChoices;
  readonly onChoose: (chosen: CleanupChoices) => void;
  /** all records instead of the matches */
  readonly onShowAll: () => void;
  readonly onPlanned: (bulkEditId: string, replacements: readonly Replacement[]) => void;
  /** shows the records that have a value */
  readonly onShow: (value: string) => void;
}

/** The values in use of one field: all of them, or those that are nearly equal, to be corrected together. */
export function ValueCleanup(props: ValueCleanupProps) {
  const { field, filter, chosen, onChoose, onShowAll, onPlanned, onShow } = props;
  const [shown, setShown] = useState<Shown>('1');
  return (
    <div className={shared.column}>
      <div className={area.bar}>
        <SegmentedControl
          aria-label={texts.whichValues}
          options={SHOWN}
          value={shown}
          onChange={setShown}
        />
        {isFiltered(filter) && (
          <span className={classes.filtered}>
            {texts.filtered}
            <Button variant="subtle" size="compact-sm" onClick={onShowAll}>
              {texts.takeAll}
            </Button>
          </span>
        )}
      </div>
      {shown === 'all' && <AllValues field={field} filter={filter} onShow={onShow} />}
      {shown === 'remembered' && <Remembered field={field} />}
      {shown !== 'all' && shown !== 'remembered' && (
        <Clusters
          key={shown}
          field={field}
          filter={filter}
          distance={shown}
          chosen={chosen}
          onChoose={onChoose}
          onPlanned={onPlanned}
        />
      )}
    </div>
  );
}
