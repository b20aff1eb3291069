// For supervisors of containers without a shell: exits with 0 where the service of this machine answers /healthz.
const port = process.env.INDEXDESK_PORT || '8080';
try {
  const { ok } = await fetch(`http://127.0.0.1:${port}/healthz`, {
    signal: AbortSignal.timeout(4_000),
  });
  process.exitCode = ok ? 0 : 1;
} catch (error) {
  process.stderr.write(`${error.cause?.message ?? error.message}\n`);
  process.exitCode = 1;
}
