import * as texts from '#messages/bulk-correction.ts';
import { Progress } from '@mantine/core';
import { Checkbox } from '#web/ui/inputs/checkbox.tsx';
import { Button } from '#web/ui/button.tsx';
import { OverflowMenu } from '#web/ui/overflow-menu.tsx';
import shared from '#web/ui/shared.module.css';
import classes from './bulk-edit.module.css';
import type { BulkEditState } from './use-bulk-edit.ts';

interface SubmitOptionsProps {
  readonly state: BulkEditState;
  readonly showsRequest: boolean;
  readonly onToggleRequest: () => void;
}

/** Which revisions are sent and how, and the obstacles. */
export function SubmitOptions({ state, showsRequest, onToggleRequest }: SubmitOptionsProps) {
  const { form, method, includesUnchanged, toSend } = state;
  const validatesAll = method === 'PUT';
  return (
    <div className={classes.options}>
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
    </div>
  );
}

/** While the correction is sent. @param count its revisions */
export function SendingState({ count }: { readonly count: number }) {
  return (
    <div className={classes.sending}>
      <p role="status">{texts.correcting(count)}</p>
      <Progress value={100} size="sm" animated aria-label={texts.underWay} />
    </div>
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
