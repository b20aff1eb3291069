import { Select } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import type { AnsweredBulkEdit } from '#shared/contract/bulk-edit-answers.ts';
import type { BulkEdit } from '#shared/rules/bulk-edits.ts';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
import { Kbd } from '#web/ui/kbd.tsx';
import { useShortcut } from '#web/ui/shortcuts.ts';
import { bulkTargetOfArchive, countedRecords } from '#web/api/bulk-target.ts';
import { Button } from '#web/ui/button.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { usePlan } from './bulk-jobs.queries.ts';
import { RuleRow } from './rule-row.tsx';
import classes from './rule-editor.module.css';
import { newRule, type RuleDraft, ruleOf } from './rules.ts';
import { type JobSelection, selectionBody, sizeOf } from './selection.ts';

interface RuleEditorProps {
  readonly archive: ArchiveDetail;
  readonly selection: JobSelection;
  readonly onPlanned: (bulkEdit: AnsweredBulkEdit) => void;
  readonly onLeave: () => void;
}

/** What is to be done with which fields; then the service plans it, and nothing is changed yet. */
export function RuleEditor({ archive, selection, onPlanned, onLeave }: RuleEditorProps) {
  const [drafts, setDrafts] = useState<readonly RuleDraft[]>([]);
  const [search, setSearch] = useState('');
  const [complains, setComplains] = useState(false);
  const next = useRef(1);
  const adder = useRef<HTMLInputElement>(null);
  useEffect(() => adder.current?.focus(), []);
  const target = bulkTargetOfArchive(archive);
  const planning = usePlan(target.place);

  const said = drafts.map(ruleOf);
  const rules = said.flatMap((each): BulkEdit[] => (each.ok ? [each.rule] : []));
  const ready = drafts.length > 0 && rules.length === drafts.length;
  const plan = () => {
    if (planning.isPending) return;
    setComplains(true);
    if (!ready) return;
    planning.mutate(
      { selection: selectionBody(selection), edits: rules },
      { onSuccess: onPlanned },
    );
  };
  useShortcut('mod+Enter', plan, { inFields: true, within: adder });

  return (
    <>
      <div className={classes.rules} inert={planning.isPending}>
        {drafts.map((draft) => (
          <RuleRow
            key={draft.key}
            archive={archive}
            draft={draft}
            complains={complains}
            onChange={(changed) =>
              setDrafts(drafts.map((other) => (other.key === draft.key ? changed : other)))
            }
            onRemove={() => setDrafts(drafts.filter(({ key }) => key !== draft.key))}
          />
        ))}
        <Select
          ref={adder}
          data-autofocus
          className={classes.adder ?? ''}
          label={drafts.length === 0 ? 'Which field is to be corrected?' : 'Another rule for'}
          placeholder="Choose a field"
          data={archive.indexFieldDefinitions.map(({ name, label }) => ({ value: name, label }))}
          value={null}
          searchable
          searchValue={search}
          onSearchChange={setSearch}
          selectFirstOptionOnChange
          nothingFoundMessage="No such field"
          onChange={(name) => {
            const field = archive.indexFieldDefinitions.find((known) => known.name === name);
            if (!field) return;
            setSearch('');
            setDrafts([...drafts, newRule(next.current++, field)]);
          }}
        />
        {drafts.length === 0 && (
          <p className={classes.hint}>
            Rules are done one after the other on each revision. You see old and new value of each
            one before anything is changed.
          </p>
        )}
        {planning.error && <ErrorPanel error={planning.error} title="This could not be planned" />}
      </div>
      <footer className={classes.footer}>
        {planning.isPending ? (
          <Spinner
            size={16}
            label={`Working out what changes in ${countedRecords(target, sizeOf(selection))}`}
          />
        ) : (
          <span className={classes.quiet}>{countedRecords(target, sizeOf(selection))}</span>
        )}
        <Button variant="default" onClick={onLeave}>
          Cancel
        </Button>
        <Button
          onClick={plan}
          loading={planning.isPending}
          disabled={drafts.length === 0}
          rightSection={
            <span aria-hidden="true">
              <Kbd keys="mod+Enter" />
            </span>
          }
        >
          Preview
        </Button>
      </footer>
    </>
  );
}
