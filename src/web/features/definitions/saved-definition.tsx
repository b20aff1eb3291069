import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import * as texts from '#messages/designer.ts';
import { apiPaths } from '#web/api/api-paths.ts';
import { Button } from '#web/ui/button.tsx';
import { QueryPending } from '#web/ui/query-state.tsx';
import { lazyDialog } from '#web/ui/lazy-component.tsx';
import { ConfirmDialog } from '#web/ui/lazy-confirm-dialog.ts';
import type { CollectionDefinition } from './collection-definition.ts';
import type { CollectionKind } from '#shared/rules/names.ts';
import { DefinitionHistory } from './definition-history.tsx';
import { useRestoreDefinition, useRetireDefinition } from './definitions.mutations.ts';
import { definitionQuery } from './definitions.queries.ts';
import type { CorrectMisfits } from './plan-dialog.tsx';
import { Designer } from './designer.tsx';
import { FIRST_SELECTED } from './use-selection.ts';
import classes from './definitions.module.css';

const PurgeDialog = lazyDialog(async () => (await import('./purge-dialog.tsx')).PurgeDialog);

interface SavedDefinitionProps {
  readonly kind: CollectionKind;
  readonly id: string;
  /** opens records to correct them */
  readonly onCorrect: CorrectMisfits;
}

/** An existing archive or table: its designer, and further commands for administrators. */
export function SavedDefinition({ kind, id, onCorrect }: SavedDefinitionProps) {
  const { data, error, refetch } = useQuery(definitionQuery(kind, id));
  // The designer starts afresh when its changes are applied, with the same field and check.
  const [selected, setSelected] = useState(FIRST_SELECTED);
  if (!data) return <QueryPending query={{ error, refetch }} title={texts.notRead} />;
  const { definition } = data;
  return (
    <div className={classes.page}>
      <div className={classes.top}>
        <Link to="/administration/definitions">{texts.back}</Link>
        <Actions definition={definition} />
      </div>
      <Designer
        key={definition.version}
        kind={kind}
        changing={{ saved: data, onCorrect, initial: selected, onSelect: setSelected }}
      />
      <DefinitionHistory definition={definition} />
    </div>
  );
}

function Actions({ definition }: { readonly definition: CollectionDefinition }) {
  const { kind, id, label, retiredAt } = definition;
  const navigate = useNavigate();
  const [isRetiring, setIsRetiring] = useState(false);
  const [isPurging, setIsPurging] = useState(false);
  const retire = useRetireDefinition(definition);
  const restore = useRestoreDefinition(definition);
  return (
    <div className={classes.actions}>
      <a href={apiPaths.definitionExport(kind, id)} download>
        {texts.exportFile}
      </a>
      {retiredAt === null ? (
        <Button variant="light" color="red" onClick={() => setIsRetiring(true)}>
          {texts.retireWhole}
        </Button>
      ) : (
        <>
          <Button variant="light" color="red" onClick={() => setIsPurging(true)}>
            {texts.purgeAction}
          </Button>
          <Button
            writes
            variant="default"
            loading={restore.isPending}
            onClick={() => restore.mutate()}
          >
            {texts.restore}
          </Button>
        </>
      )}
      <PurgeDialog
        opened={isPurging}
        onClose={() => setIsPurging(false)}
        onDone={() => void navigate({ to: '/administration/definitions' })}
        definition={definition}
        field={null}
      />
      <ConfirmDialog
        opened={isRetiring}
        onClose={() => setIsRetiring(false)}
        title={texts.retireArchiveTitle(label)}
        text={texts.retireArchiveText}
        mutation={retire}
        onDone={() => void navigate({ to: '/administration/definitions' })}
        errorTitle={texts.notRetired}
        submit={texts.retireWhole}
      />
    </div>
  );
}
