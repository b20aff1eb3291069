import { ActionIcon, Button } from '@mantine/core';
import { useState } from 'react';
import type { Column } from '#shared/definitions.ts';
import { shownCount } from '#web/api/reader.ts';
import { ChevronDownIcon, ChevronUpIcon, CloseIcon } from '#web/ui/icons.tsx';
import { Kbd } from '#web/ui/kbd.tsx';
import { useShortcut } from '#web/ui/shortcuts.ts';
import type { Desk } from './desk.ts';
import { isNewRow } from './edits.ts';
import classes from './problem-tray.module.css';
import type { Problem, Problems } from './use-find-problem.ts';

interface ProblemTrayProps {
  readonly problems: Problems;
  readonly columns: readonly Column[];
  readonly desk: Desk;
}

/** As many as are looked through by eye; the others come as these are settled. */
const SHOWN = 200;

/** All that cannot be saved, wherever it stands, with why, and the way there; it can be dropped, one or all. */
export function ProblemTray({ problems: { problems, go, step }, columns, desk }: ProblemTrayProps) {
  const [open, setOpen] = useState(false);
  // The grid hears these keys itself; here they hold for all that stands around it.
  const elsewhere = { inFields: true, enabled: problems.length > 0 };
  useShortcut('F8', () => step(1), elsewhere);
  useShortcut('shift+F8', () => step(-1), elsewhere);
  if (problems.length === 0) return null;
  const drop = ({ key, column }: Problem) =>
    column === null ? desk.discard(key) : desk.restore(key, column);
  const count = problems.length === 1 ? '1 entry is' : `${shownCount(problems.length)} entries are`;
  return (
    <section className={classes.tray} aria-label="Not saved">
      <header className={classes.head}>
        <button
          type="button"
          className={classes.fold}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {open ? <ChevronDownIcon size={14} /> : <ChevronUpIcon size={14} />}
          What cannot be saved
        </button>
        <span className={classes.hint}>
          <Kbd keys="F8" /> goes to the next
        </span>
        {open && (
          <Button
            size="compact-xs"
            variant="subtle"
            color="red"
            title={`${count} dropped: the cells show what the server has`}
            onClick={() => problems.forEach(drop)}
          >
            Drop all
          </Button>
        )}
      </header>
      {open && (
        <ul className={classes.list}>
          {problems.slice(0, SHOWN).map((problem) => (
            <li key={`${problem.key} ${problem.column}`} className={classes.row}>
              <button type="button" className={classes.go} onClick={() => go(problem)}>
                <b>
                  {isNewRow(problem.key) ? 'New dataset' : `Dataset ${problem.key}`}
                  {problem.column !== null &&
                    `, ${columns.find(({ name }) => name === problem.column)?.label ?? problem.column}`}
                </b>{' '}
                {problem.message}
              </button>
              <ActionIcon size={22} aria-label="Drop this entry" onClick={() => drop(problem)}>
                <CloseIcon size={12} />
              </ActionIcon>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
