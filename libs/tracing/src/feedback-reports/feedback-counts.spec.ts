import { FeedbackCounts } from './feedback-counts.js';

describe('Counts of feedback', () => {
  const window = { project_id: 'a/b', after_ms: 0, before_ms: 10_000 };
  const row = (seconds: number, details: object, runnable_ref: string | null = null) => ({
    at: String(seconds * 1e6),
    runnable_ref,
    details: JSON.stringify(details),
  });
  const none = { tag_counts: {}, rating_sums: {}, rating_counts: {} };

  it('are one bucket without times and groups, also of nothing', () => {
    const counts = new FeedbackCounts(window);
    expect(counts.buckets).toEqual([
      { time_bucket_start_ms: null, group: {}, total_count: 0, scored_count: 0, ...none },
    ]);
  });

  it('are made by time and by scorer', () => {
    const counts = new FeedbackCounts({ ...window, time_bucket_seconds: 2, group_by: ['scorer_id'] });
    const judge = 'weave:///a/b/object/judge:v1';
    counts.add(row(0.5, { scorer_tags: ['good', '__proto__'] }, judge));
    counts.add(row(1.5, { scorer_tags: ['good'], scorer_ratings: { _rating_: 0.5 } }, judge));
    counts.add(row(3, {}));
    expect(counts.buckets).toEqual([
      {
        time_bucket_start_ms: 0,
        group: { scorer_id: 'judge' },
        total_count: 2,
        scored_count: 2,
        tag_counts: { good: 2, ['__proto__']: 1 },
        rating_sums: { _rating_: 0.5 },
        rating_counts: { _rating_: 1 },
      },
      { time_bucket_start_ms: 2000, group: { scorer_id: '' }, total_count: 1, scored_count: 0, ...none },
    ]);
  });

  it('are of what has a tag, an agent and a rating within limits', () => {
    const counts = new FeedbackCounts({
      ...window,
      tags: ['a', 'b'],
      span_agent_names: ['x'],
      rating_min: 1,
      rating_max: 2,
    });
    const wanted = { scorer_tags: ['b'], span_agent_name: 'x', scorer_ratings: { _rating_: 1 } };
    for (const more of [
      {},
      { scorer_tags: ['c'] },
      { span_agent_name: 'y' },
      { scorer_ratings: { _rating_: 3 } },
      { scorer_ratings: {} },
    ])
      counts.add(row(1, { ...wanted, ...more }));
    expect(counts.buckets[0]!.total_count).toBe(1);
  });
});
