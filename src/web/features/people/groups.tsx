import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import * as texts from '#messages/people.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { QueryError, QueryPending } from '#web/ui/query-state.tsx';
import { lazyDialog } from '#web/ui/lazy-component.tsx';
import { ConfirmDialog } from '#web/ui/lazy-confirm-dialog.ts';
import { GroupForm } from './group-form.tsx';
import { useDeleteGroup } from './people.mutations.ts';
import { groupQuery, groupsQuery } from './people.queries.ts';
import shared from '#web/ui/shared.module.css';
import classes from './people.module.css';

const AddGroupDialog = lazyDialog(
  async () => (await import('./add-group-dialog.tsx')).AddGroupDialog,
);

/** The groups next to the selected one. @param selected its name, null: none */
export function Groups({ selected }: { readonly selected: string | null }) {
  const navigate = useNavigate();
  const [isAdding, setIsAdding] = useState(false);
  return (
    <div className={classes.split} data-detail={selected !== null || undefined}>
      <div className={classes.side}>
        <Button onClick={() => setIsAdding(true)}>{texts.addGroup}</Button>
        <GroupList />
      </div>
      <div className={classes.detail}>
        {selected === null ? (
          <EmptyState title={texts.chooseGroup}>{texts.noGroupHint}</EmptyState>
        ) : (
          <SelectedGroup key={selected} name={selected} />
        )}
      </div>
      <AddGroupDialog
        opened={isAdding}
        onClose={() => setIsAdding(false)}
        onAdded={(name) => {
          setIsAdding(false);
          void navigate({ to: '/administration/groups', search: { group: name } });
        }}
      />
    </div>
  );
}

function GroupList() {
  const { data, error, refetch } = useQuery(groupsQuery);
  if (error && !data) {
    return <QueryError query={{ error, refetch }} title={texts.groupsNotRead} />;
  }
  if (data?.length === 0) return <p className={shared.muted}>{texts.noGroup}</p>;
  return (
    <ul className={classes.list} aria-label={texts.groups}>
      {data?.map(({ name, label, members }) => (
        <li key={name}>
          <Link to="/administration/groups" search={{ group: name }} className={classes.item}>
            <span className={classes.itemName}>{label || name}</span>
            <span className={shared.note}>{name}</span>
            <span className={shared.note}>{texts.membersOf(members.length)}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

function SelectedGroup({ name }: { readonly name: string }) {
  const navigate = useNavigate();
  const { data, error, refetch } = useQuery(groupQuery(name));
  const [isDeleting, setIsDeleting] = useState(false);
  const deletion = useDeleteGroup(name);
  if (!data) return <QueryPending query={{ error, refetch }} title={texts.groupsNotRead} />;
  const { group, etag } = data;
  return (
    <>
      <Link to="/administration/groups" className={classes.back}>
        {texts.back}
      </Link>
      <div className={classes.title}>
        <h2>{group.label || name}</h2>
        <span className={shared.muted}>{name}</span>
        <span className={classes.actions}>
          <Button variant="light" color="red" onClick={() => setIsDeleting(true)}>
            {texts.deleteItem}
          </Button>
        </span>
      </div>
      <GroupForm group={group} etag={etag} />
      <ConfirmDialog
        opened={isDeleting}
        onClose={() => setIsDeleting(false)}
        title={texts.deleteGroupTitle(name)}
        text={texts.deleteGroupText}
        mutation={deletion}
        onDone={() => void navigate({ to: '/administration/groups', ignoreBlocker: true })}
        errorTitle={texts.groupNotDeleted}
        submit={texts.deleteItem}
      />
    </>
  );
}
