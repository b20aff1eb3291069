/** Where to continue after signing in: only a path of this origin, never another site. */
export function ownPath(next: string | undefined): string {
  return next && /^\/(?![/\\])/.test(next) ? next : '/';
}
