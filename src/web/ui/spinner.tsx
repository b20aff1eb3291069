import classes from './spinner.module.css';

/** A spinner; announced to screen readers if it has a `label`. */
export function Spinner({ size = 16, label }: { readonly size?: number; readonly label?: string }) {
  const turning = (
    <svg
      className={classes.turning}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      aria-hidden="true"
    >
      <circle
        cx="12"
        cy="12"
        r="9"
        fill="none"
        stroke="currentColor"
        strokeWidth="3"
        opacity="0.2"
      />
      <path
        d="M21 12a9 9 0 0 0-9-9"
        fill="none"
        stroke="currentColor"
        strokeWidth="3"
        strokeLinecap="round"
      />
    </svg>
  );
  // Without a label it is only visual: screen readers learn the state from its context.
  if (label === undefined) return <span className={classes.box}>{turning}</span>;
  return (
    <output className={classes.box} aria-label={label}>
      {turning}
    </output>
  );
}
