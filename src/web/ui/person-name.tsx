import { useNameOf } from '#web/api/display-names.queries.ts';

/** The display name of a person, with the username as a tooltip. */
export function PersonName({ username }: { readonly username: string }) {
  const nameOf = useNameOf();
  const name = nameOf(username);
  return name === username ? username : <span title={username}>{name}</span>;
}
