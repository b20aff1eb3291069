import * as texts from '#messages/bulk-correction.ts';
import * as commonTexts from '#messages/common.ts';
import { Progress } from '@mantine/core';
import { Checkbox } from '#web/ui/inputs/checkbox.tsx';
import { Button } from '#web/ui/button.tsx';
import { Kbd } from '#web/ui/kbd.tsx';
import { OverflowMenu } from '#web/ui/overflow-menu.tsx';
import shared from '#web/ui/shared.module.css';
import classes from './bulk-edit.module.css';
import type { BulkEditState } from './use-bulk-edit.ts';

interface SubmitBarProps {
  readonly state: BulkEditState;
  readonly showsRequest: boolean;
  readonly onToggleRequest: () => void;
  readonly onLeave: () => void;
}

/** The method, the obstacles, and the submit button. */
export function SubmitBar({ state, showsRequest, onToggleRequest, onLeave }: SubmitBarProps) {
  const { form, method, includesUnchanged, toSend, isReady, correction } = state;
  if (correction.isPending) {
    return (
      <footer className={classes.footer}>
        <div className={classes.sending}>
          <p role="status">{texts.correcting(toSend.length)}</p>
          <Progress value={100} size="sm" animated aria-label={texts.underWay} />
        </div>
        <Button variant="default" onClick={state.stopWaiting}>
          {texts.stopWaiting}
        </Button>
      </footer>
    );
  }
  const validatesAll = method === 'PUT';
  return (
    <footer className={classes.footer}>
      <Checkbox
        label={texts.leaveOutUnchanged}
        checked={!includesUnchanged}
        onChange={(event) => form.setValue('includesUnchanged', !event.currentTarget.checked)}
      />
      <OverflowMenu>
        {(Menu) => (
          <>
            <Menu.CheckboxItem
              checked={validatesAll}
              title={texts.validateAllHint}
              closeMenuOnClick
              onChange={(on) => form.setValue('method', on ? 'PUT' : 'PATCH')}
            >
              {texts.validateAll}
            </Menu.CheckboxItem>
            <Menu.Item
              disabled={toSend.length === 0 || state.changes.length === 0}
              onClick={onToggleRequest}
            >
              {showsRequest ? texts.hideRequest : texts.previewRequest}
            </Menu.Item>
          </>
        )}
      </OverflowMenu>
      {validatesAll && <span className={shared.note}>{texts.allValidated}</span>}
      <p className={classes.obstacle} role="status">
        <Obstacle state={state} />
      </p>
      <Button variant="default" onClick={onLeave}>
        {commonTexts.cancel}
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
        {toSend.length === 0 || !isReady ? texts.correct : texts.correctRevisions(toSend.length)}
      </Button>
    </footer>
  );
}

/** Why it cannot be sent yet. */
function Obstacle({ state }: { readonly state: BulkEditState }) {
  const { drafts, changes, counts, found, toSend, planned, excluded, exclude } = state;
  if (!found) return texts.valuesBeingRead;
  if (drafts.length === 0) return texts.chooseFieldFirst;
  if (changes.length < drafts.length) {
    const chosen = new Set(changes.map(({ field }) => field.path));
    const open = drafts.find((draft) => !chosen.has(draft.field.path));
    return open ? texts.giveValue(open.field.label) : null;
  }
  if (counts.fails > 0) {
    const failing = planned
      .filter(({ outcome, revision }) => outcome === 'fails' && !excluded.has(revision.revisionId))
      .map(({ revision }) => revision.revisionId);
    return (
      <>
        {texts.wouldFail(counts.fails)}{' '}
        {failing.length < planned.length - excluded.size && (
          <Button size="compact-xs" variant="light" onClick={() => exclude(failing)}>
            {texts.takeOut(failing.length)}
          </Button>
        )}
      </>
    );
  }
  return toSend.length === 0 ? texts.nothingWouldChange : null;
}
