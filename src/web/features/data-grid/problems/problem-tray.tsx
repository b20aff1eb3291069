import { useState } from 'react';
import type { Column } from '#shared/rules/definitions.ts';
import { Button, IconButton } from '#web/ui/button.tsx';
import { ChevronDownIcon, ChevronUpIcon, CloseIcon } from '#web/ui/icons.tsx';
import { Kbd } from '#web/ui/kbd.tsx';
import { useShortcut } from '#web/ui/shortcuts.ts';
import { Stepper } from '#web/ui/stepper.tsx';
import type { EditStore } from '../edit-store/edit-store.ts';
import classes from './problem-tray.module.css';
import { problemLocation } from './problem-location.ts';
import type { Problems } from './use-problems.ts';
import { RichText } from '#web/ui/rich-text.tsx';
import { useOnChange } from '#web/ui/use-on-change.ts';
import * as texts from '#messages/unsaved-entries.ts';

interface ProblemTrayProps {
  /** the list expands whenever this increases: a paste has left rows with problems */
  readonly expandRequests: number;
  readonly problems: Problems;
  readonly columns: readonly Column[];
  readonly editStore: EditStore;
}

/** How many the user can look through on one page. */
const PAGE_SIZE = 200;

/**
 * Everything that cannot be saved, with the reason and a link to its cell; entries can be discarded singly or all
 * together.
 */
export function ProblemTray(props: ProblemTrayProps) {
  const { columns, editStore, expandRequests } = props;
  const { problems, goTo, step } = props.problems;
  const [open, setOpen] = useState(expandRequests > 0);
  useOnChange(expandRequests, () => setOpen(true));
  const [wanted, setPage] = useState(0);
  const pages = Math.max(1, Math.ceil(problems.length / PAGE_SIZE));
  // The last page disappears when all of its entries are settled.
  const page = Math.min(wanted, pages - 1);
  const from = page * PAGE_SIZE;
  // The grid handles these keys itself; these bindings are for the rest of the page.
  const elsewhere = { inFields: true, enabled: problems.length > 0 };
  useShortcut('F8', () => step(1), elsewhere);
  useShortcut('shift+F8', () => step(-1), elsewhere);
  if (problems.length === 0) return null;
  return (
    <section className={classes.tray} aria-label={texts.title}>
      <header className={classes.head}>
        <h2 className={classes.heading}>
          <button
            type="button"
            className={classes.fold}
            aria-expanded={open}
            onClick={() => setOpen(!open)}
          >
            {open ? <ChevronDownIcon size={14} /> : <ChevronUpIcon size={14} />}
            {texts.title}
          </button>
        </h2>
        <span className={classes.hint}>
          <RichText text={texts.keyHint(<Kbd keys="F8" />)} />
        </span>
        {open && pages > 1 && (
          <Stepper
            size={22}
            previous={{ label: texts.previousPage, disabled: page === 0 }}
            next={{ label: texts.nextPage, disabled: page === pages - 1 }}
            onStep={(by) => setPage(page + by)}
          >
            {texts.page({
              from: from + 1,
              to: Math.min(from + PAGE_SIZE, problems.length),
              of: problems.length,
            })}
          </Stepper>
        )}
        {open && (
          <Button
            size="compact-xs"
            variant="subtle"
            color="red"
            title={texts.discardAllHint(problems.length)}
            onClick={() => editStore.discard(problems)}
          >
            {texts.discardAll}
          </Button>
        )}
      </header>
      {open && (
        <ul className={classes.list}>
          {problems.slice(from, from + PAGE_SIZE).map((problem) => (
            <li key={`${problem.key} ${problem.column}`} className={classes.row}>
              <button type="button" className={classes.go} onClick={() => goTo(problem)}>
                <RichText
                  text={texts.entry({
                    location: <b>{problemLocation(problem, columns, editStore)}</b>,
                    message: problem.message,
                  })}
                />
              </button>
              <IconButton
                size={22}
                aria-label={texts.discard}
                onClick={() => editStore.discard([problem])}
              >
                <CloseIcon size={12} />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
