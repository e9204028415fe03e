import { emojiNames } from './emoji-names.js';

describe('emojiNames', () => {
  it.each([
    ['👍', ':thumbs_up:', '👍', ':thumbs_up:'],
    ['👍🏿', ':thumbs_up_dark_skin_tone:', '👍', ':thumbs_up:'],
    ['☝🏽', ':index_pointing_up_medium_skin_tone:', '☝️', ':index_pointing_up:'],
    ['👨🏽‍🦰', ':man_medium_skin_tone_red_hair:', '👨‍🦰', ':man_red_hair:'],
    ['🧑🏻‍🤝‍🧑🏿', ':people_holding_hands_light_skin_tone_dark_skin_tone:', '🧑‍🤝‍🧑', ':people_holding_hands:'],
    ['🇩🇪', ':Germany:', '🇩🇪', ':Germany:'],
    ['🈁', ':Japanese_here_button:', '🈁', ':Japanese_here_button:'],
  ])('%s is %s', (emoji, alias, detoned, detoned_alias) => {
    expect(emojiNames(emoji)).toEqual({ alias, detoned, detoned_alias });
  });

  it.each(['', 'a', '1', '👍👍', 'ok 👍', '\ud83d'])('%j is not one emoji', (text) => {
    expect(emojiNames(text)).toBeNull();
  });
});
