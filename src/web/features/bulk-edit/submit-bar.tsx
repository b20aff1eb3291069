import { Progress } from '@mantine/core';
import { Checkbox } from '#web/ui/inputs/checkbox.tsx';
import { Button } from '#web/ui/button.tsx';
import { Kbd } from '#web/ui/kbd.tsx';
import { OverflowMenu } from '#web/ui/overflow-menu.tsx';
import classes from './bulk-edit.module.css';
import { countedRevisions } from './counted.ts';
import { draftKey } from './drafts.ts';
import type { BulkEditState } from './use-bulk-edit.ts';

interface SubmitBarProps {
  readonly state: BulkEditState;
  readonly showsRequest: boolean;
  readonly onToggleRequest: () => void;
  readonly onLeave: () => void;
}

/** How it is sent, what stands in the way, and the one button that does it. */
export function SubmitBar({ state, showsRequest, onToggleRequest, onLeave }: SubmitBarProps) {
  const { method, setMethod, sendsSame, setSendsSame, toSend, isReady, correction } = state;
  if (correction.isPending) {
    return (
      <footer className={classes.footer}>
        <div className={classes.sending}>
          <p role="status">Correcting {countedRevisions(toSend.length)} in one step…</p>
          <Progress value={100} size="sm" animated aria-label="Under way" />
        </div>
        <Button variant="default" onClick={state.stopWaiting}>
          Stop waiting
        </Button>
      </footer>
    );
  }
  const validatesAll = method === 'PUT';
  return (
    <footer className={classes.footer}>
      <Checkbox
        label="Leave out unchanged"
        checked={!sendsSame}
        onChange={(event) => setSendsSame(!event.currentTarget.checked)}
      />
      <OverflowMenu>
        {(Menu) => (
          <>
            <Menu.CheckboxItem
              checked={validatesAll}
              title="Validates every field of each revision, changed or not, and saves them"
              closeMenuOnClick
              onChange={(on) => setMethod(on ? 'PUT' : 'PATCH')}
            >
              Validate all and save
            </Menu.CheckboxItem>
            <Menu.Item
              disabled={toSend.length === 0 || state.changes.length === 0}
              onClick={onToggleRequest}
            >
              {showsRequest ? 'Hide request' : 'Preview request'}
            </Menu.Item>
          </>
        )}
      </OverflowMenu>
      {validatesAll && <span className={classes.method}>All fields are validated.</span>}
      <p className={classes.obstacle} role="status">
        <Obstacle state={state} />
      </p>
      <Button variant="default" onClick={onLeave}>
        Cancel
      </Button>
      <Button
        disabled={!isReady}
        onClick={state.send}
        rightSection={
          <span aria-hidden="true">
            <Kbd keys="mod+Enter" />
          </span>
        }
      >
        {toSend.length === 0 || !isReady ? 'Correct' : `Correct ${countedRevisions(toSend.length)}`}
      </Button>
    </footer>
  );
}

/** Why it cannot be sent yet. */
function Obstacle({ state }: { readonly state: BulkEditState }) {
  const { drafts, changes, counts, found, toSend, planned, takenOut, takeOut } = state;
  if (!found) return 'The old values are being read.';
  if (drafts.length === 0) return 'Choose a field first.';
  if (changes.length < drafts.length) {
    const chosen = new Set(changes.map(({ kind, field }) => `${kind} ${field.name}`));
    const open = drafts.find((draft) => !chosen.has(draftKey(draft)));
    return `Give ${open?.field.label ?? 'the field'} a value, or choose that it has none.`;
  }
  if (counts.fails > 0) {
    const failing = planned
      .filter(({ outcome, revision }) => outcome === 'fails' && !takenOut.has(revision.revisionId))
      .map(({ revision }) => revision.revisionId);
    return (
      <>
        {countedRevisions(counts.fails)} would fail.{' '}
        {failing.length < planned.length - takenOut.size && (
          <Button size="compact-xs" variant="light" onClick={() => takeOut(failing)}>
            Take {failing.length === 1 ? 'it' : 'them'} out
          </Button>
        )}
      </>
    );
  }
  return toSend.length === 0 ? 'Nothing would change.' : null;
}
