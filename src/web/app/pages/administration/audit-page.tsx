import * as texts from '#messages/audit.ts';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { textsOf } from '#web/api/address-search.ts';
import { filterOf } from '#web/features/audit/audit-address.ts';
import { AuditFilters } from '#web/features/audit/audit-filters.tsx';
import { AuditList } from '#web/features/audit/audit-list.tsx';
import { AuditPanel } from '#web/features/audit/audit-panel.tsx';
import { ChainState } from '#web/features/audit/chain-state.tsx';
import { ExportLinks } from '#web/features/audit/export-links.tsx';
import { Page } from '#web/ui/page.tsx';
import { SplitPane } from '#web/ui/split-pane.tsx';
import shared from '#web/ui/shared.module.css';
import classes from './audit-page.module.css';

/** Everything that happened, for administrators. The filters and the open entry are in the address. */
export function AuditPage() {
  const search = useSearch({ from: '/administration/audit' });
  const navigate = useNavigate({ from: '/administration/audit' });
  const filter = filterOf(search);
  const { entry } = search;
  const open = (historyId: string | undefined) => {
    void navigate({
      search: historyId === undefined ? filter : { ...filter, entry: historyId },
      // Moving through the entries adds none to the browser's history.
      replace: historyId !== undefined && entry !== undefined,
    });
  };
  return (
    <Page
      title={texts.title}
      aside={<ChainState filter={filter} />}
      actions={<ExportLinks filter={filter} />}
    >
      <div className={`${shared.column} ${classes.page}`}>
        <AuditFilters
          filter={filter}
          onChange={(change) => {
            void navigate({ search: textsOf({ ...filter, ...change }) });
          }}
        />
        <div className={shared.rest}>
          <SplitPane
            name="audit"
            label={texts.panelWidth}
            start={
              <AuditList
                key={JSON.stringify(filter)}
                filter={filter}
                selected={entry}
                onSelect={open}
              />
            }
            end={entry ? <AuditPanel historyId={entry} onClose={() => open(undefined)} /> : null}
          />
        </div>
      </div>
    </Page>
  );
}
