import { strftime } from './python-time.js';

const date = new Date(2024, 6, 4, 15, 7, 9);

describe('strftime', () => {
  it.each([
    ['%d %b %Y', '04 Jul 2024'],
    ['%A, %B %-d, %y', 'Thursday, July 4, 24'],
    ['%Y-%m-%dT%H:%M:%S', '2024-07-04T15:07:09'],
    ['%I:%M %p', '03:07 PM'],
    ['100%% %Q', '100% %Q'],
  ])('writes %s as Python does', (format, expected) => {
    expect(strftime(date, format)).toBe(expected);
  });
});
