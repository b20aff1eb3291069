import { useQuery } from '@tanstack/react-query';
import { type RefObject, useRef } from 'react';
import * as texts from '#messages/value-cleanup.ts';
import { MAX_REPLACEMENTS } from '#shared/contract/value-cleanup.ts';
import type { ListFilter } from '#web/api/list-view.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Checkbox } from '#web/ui/inputs/checkbox.tsx';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
import { QueryError } from '#web/ui/query-state.tsx';
import { keyLabel, useShortcut } from '#web/ui/shortcuts.ts';
import { ShowMore, useFirstItems } from '#web/ui/show-more.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import {
  choiceOf,
  type CleanupChoices,
  type Cluster,
  keyOf,
  recordsChanged,
  type Replacement,
  replacementsOf,
} from './cluster-choices.ts';
import type { CleanedField } from './cleaned-field.ts';
import { CLEANUP_KEYS } from './cleanup-keys.ts';
import { ClusterItem } from './cluster-item.tsx';
import { usePlanReplacements } from './value-cleanup.mutations.ts';
import { clustersQuery, type Distance } from './value-cleanup.queries.ts';
import shared from '#web/ui/shared.module.css';
import classes from './value-cleanup.module.css';

interface ClustersProps {
  readonly field: CleanedField;
  readonly filter: ListFilter;
  readonly distance: Distance;
  readonly chosen: CleanupChoices;
  readonly onChoose: (chosen: CleanupChoices) => void;
  readonly onPlanned: (bulkEditId: string, replacements: readonly Replacement[]) => void;
}

/** The values of a field that are nearly equal, as far as they are loaded. */
export function Clusters(props: ClustersProps) {
  const { field, filter, distance } = props;
  const query = useQuery(clustersQuery(field.target.collection, field.name, filter, distance));
  if (query.error) {
    return <QueryError query={query} title={texts.clustersNotRead} />;
  }
  if (!query.data) return <Spinner size={22} label={texts.comparing} />;
  const { clusters, meta } = query.data;
  if (clusters.length === 0) {
    return (
      <EmptyState title={texts.nothingSimilar(meta.compared)} done>
        {meta.message ?? (distance === '2' ? null : texts.tryMoreLetters)}
      </EmptyState>
    );
  }
  return (
    <ChooseValues {...props} clusters={clusters} message={meta.message} values={meta.values} />
  );
}

/** Number of clusters shown initially, and added each time. */
const PART = 100;

interface ChooseValuesProps extends ClustersProps {
  readonly clusters: readonly Cluster[];
  readonly message: string | null;
  readonly values: number;
}

function ChooseValues(props: ChooseValuesProps) {
  const { chosen, onChoose, clusters, message, values } = props;
  const { mayWrite } = props.field;
  const { choices, remember } = chosen;
  const { firstItems, rest } = useFirstItems(clusters, PART);
  const list = useRef<HTMLUListElement>(null);
  return (
    <>
      <p className={classes.note} role="status">
        {texts.found({ clusters: clusters.length, values })}
        {message !== null && ` ${message}`}
      </p>
      <ul
        ref={list}
        className={`${shared.scroller} ${classes.clusters}`}
        aria-label={texts.clusters}
      >
        {firstItems.map((cluster, index) => (
          <ClusterItem
            key={keyOf(cluster)}
            cluster={cluster}
            choice={choiceOf(choices, cluster)}
            onChoice={
              mayWrite
                ? (choice) =>
                    onChoose({ remember, choices: new Map(choices).set(keyOf(cluster), choice) })
                : null
            }
            onMove={(by) => focusCluster(list, index + by)}
          />
        ))}
        {rest.hasNextPage && (
          <li className={classes.more}>
            <ShowMore list={rest} label={texts.moreClusters(clusters.length - firstItems.length)} />
          </li>
        )}
      </ul>
      {mayWrite && <PlanFooter {...props} />}
    </>
  );
}

/** How many values are replaced, the choice of all or none, and the button that plans it. */
function PlanFooter(props: ChooseValuesProps) {
  const { field, filter, chosen, onChoose, clusters, onPlanned } = props;
  const { choices, remember } = chosen;
  const plan = usePlanReplacements(field.target.collection, field.name, filter);
  const replacements = clusters.flatMap((cluster) => replacementsOf(choices, cluster));
  const count = clusters.filter((cluster) => choiceOf(choices, cluster).isChosen).length;
  const records = clusters.reduce((sum, cluster) => sum + recordsChanged(choices, cluster), 0);
  const isTooMuch = replacements.length > MAX_REPLACEMENTS;
  const chooseAll = (isChosen: boolean) =>
    onChoose({
      remember,
      choices: new Map([
        ...choices,
        ...clusters.map(
          (cluster) => [keyOf(cluster), { ...choiceOf(choices, cluster), isChosen }] as const,
        ),
      ]),
    });
  const preview = () =>
    plan.mutate(
      { replacements, remember },
      {
        onSuccess: ({ bulkEditId }) => onPlanned(bulkEditId, replacements),
      },
    );
  const canPreview = replacements.length > 0 && !isTooMuch && !plan.isPending;
  useShortcut(CLEANUP_KEYS.preview, preview, { inFields: true, enabled: canPreview, writes: true });
  return (
    <footer className={`${shared.buttons} ${classes.foot}`}>
      {plan.error && <ErrorPanel error={plan.error} title={texts.notPlanned} />}
      <span className={classes.sum} role="status">
        {isTooMuch
          ? texts.tooMuch({ values: replacements.length, most: MAX_REPLACEMENTS })
          : texts.chosen({ clusters: count, values: replacements.length, records })}
      </span>
      <Checkbox
        label={texts.remember}
        checked={remember}
        onChange={(event) => onChoose({ choices, remember: event.currentTarget.checked })}
      />
      <Button variant="default" onClick={() => chooseAll(count < clusters.length)}>
        {count < clusters.length ? texts.chooseAll : texts.chooseNone}
      </Button>
      <Button
        writes
        loading={plan.isPending}
        disabled={replacements.length === 0 || isTooMuch}
        title={keyLabel(CLEANUP_KEYS.preview)}
        onClick={preview}
      >
        {texts.preview}
      </Button>
    </footer>
  );
}

/** Focuses the right value of a cluster, from which arrow keys choose another. */
function focusCluster(list: RefObject<HTMLUListElement | null>, index: number): void {
  const item = list.current?.querySelectorAll<HTMLElement>('[data-cluster]')[index];
  item?.querySelector<HTMLElement>('input[type=radio]:checked')?.focus();
  item?.scrollIntoView({ block: 'nearest' });
}
