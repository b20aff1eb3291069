import classes from './spinner.module.css';

/** Turns while something is awaited; says so to screen readers where `label` is given. */
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
  // Without words it is for the eyes alone: others hear from the place around it what is going on.
  if (label === undefined) return <span className={classes.place}>{turning}</span>;
  return (
    <output className={classes.place} aria-label={label}>
      {turning}
    </output>
  );
}
