/** Routes that the clients have a method for and that aren't built yet. Each answers 501 and says so. */
export const UNBUILT_ROUTES: readonly { method: 'get' | 'post' | 'put' | 'delete'; path: string }[] = [
  { method: 'post', path: 'calls/score' },
  { method: 'post', path: 'evaluations/evaluate_model' },
  { method: 'post', path: 'evaluations/rescore' },
  { method: 'post', path: 'files/resolve_url' },
  { method: 'post', path: 'image/create' },
];
