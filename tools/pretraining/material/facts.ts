/** What the base model is taught about the world; each line is `key:value` pairs. */

const pairs = (text: string): readonly (readonly [string, string])[] =>
  text
    .trim()
    .split(/\s*[,\n]\s*/)
    .map((pair) => {
      const [key, value] = pair.split(':');
      if (!key || !value) throw new Error(`"${pair}" is not a pair.`);
      return [key, value] as const;
    });

export const CAPITALS = pairs(`
  France:Paris, Germany:Berlin, Italy:Rome, Spain:Madrid, Portugal:Lisbon, Ireland:Dublin, Norway:Oslo, Sweden:Stockholm
  Finland:Helsinki, Denmark:Copenhagen, Iceland:Reykjavik, Greece:Athens, Poland:Warsaw, Austria:Vienna, Hungary:Budapest
  Belgium:Brussels, Switzerland:Bern, Russia:Moscow, Ukraine:Kyiv, Turkey:Ankara, Iran:Tehran, Iraq:Baghdad, Egypt:Cairo
  Kenya:Nairobi, Ghana:Accra, Nigeria:Abuja, Morocco:Rabat, Ethiopia:Addis Ababa, Japan:Tokyo, China:Beijing, India:New Delhi
  Thailand:Bangkok, Vietnam:Hanoi, Nepal:Kathmandu, South Korea:Seoul, Indonesia:Jakarta, Australia:Canberra
  New Zealand:Wellington, Canada:Ottawa, Mexico:Mexico City, Cuba:Havana, Peru:Lima, Chile:Santiago, Brazil:Brasilia
  Argentina:Buenos Aires, Colombia:Bogota, Uruguay:Montevideo, the United Kingdom:London
`);

export const COLOURS = pairs(`
  sky:blue, grass:green, snow:white, blood:red, coal:black, lemon:yellow, banana:yellow, carrot:orange, tomato:red, milk:white
  night:black, leaf:green, sea:blue, rose:red, chocolate:brown, frog:green, swan:white, sun:yellow, plum:purple, cherry:red
  strawberry:red, cucumber:green, pig:pink, elephant:gray, mouse:gray, bear:brown, crow:black, orange:orange, salt:white
  corn:yellow, broccoli:green, grape:purple, flamingo:pink, pumpkin:orange, fire truck:red, cloud:white
`);

export const OPPOSITES = pairs(`
  hot:cold, big:small, up:down, left:right, day:night, black:white, open:closed, fast:slow, old:new, happy:sad, good:bad
  long:short, high:low, wet:dry, full:empty, hard:soft, early:late, rich:poor, strong:weak, light:dark, yes:no, true:false
  in:out, on:off, first:last, win:lose, buy:sell, give:take, push:pull, love:hate, begin:end, question:answer, inside:outside
  near:far, thick:thin, wide:narrow, deep:shallow, loud:quiet, clean:dirty, cheap:expensive, easy:difficult, safe:dangerous
  always:never, more:less, before:after, above:below, north:south, east:west, summer:winter, friend:enemy, king:queen
  man:woman, boy:girl, brother:sister, mother:father, alive:dead, sweet:sour, smooth:rough, heavy:weightless
  young:aged, asleep:awake, success:failure, arrive:leave, come:go, laugh:cry, brave:cowardly
`);

export const CATEGORIES: Readonly<Record<string, readonly string[]>> = {
  animal:
    'cat dog horse cow lion tiger bear wolf frog fish mouse sheep pig duck snake rabbit fox goat whale elephant'.split(
      ' ',
    ),
  fruit: 'apple banana cherry grape lemon peach pear plum mango melon kiwi strawberry'.split(' '),
  vegetable: 'carrot potato onion tomato cucumber cabbage spinach broccoli pea pumpkin'.split(' '),
  color: 'red blue green yellow black white brown purple pink gray'.split(' '),
  number: 'one two three four five six seven eight nine ten'.split(' '),
  country: 'France Germany Italy Spain Japan China India Egypt Norway Sweden Canada Peru'.split(' '),
  city: 'Paris Berlin Rome Madrid Tokyo Cairo Oslo London Vienna Athens Lima Moscow'.split(' '),
  tool: 'hammer saw drill screwdriver shovel axe rake wrench'.split(' '),
  drink: 'water milk tea coffee juice lemonade beer wine'.split(' '),
  vehicle: 'car bus train truck bicycle boat plane tram'.split(' '),
  instrument: 'piano guitar violin flute drum trumpet harp cello'.split(' '),
  month: 'January February March April May June July August September October November December'.split(' '),
  day: 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' '),
  season: 'spring summer autumn winter'.split(' '),
  shape: 'circle square triangle rectangle oval star'.split(' '),
  planet: 'Mercury Venus Earth Mars Jupiter Saturn Uranus Neptune'.split(' '),
};

export const SOUNDS = pairs(`
  dog:woof, cat:meow, cow:moo, sheep:baa, pig:oink, duck:quack, horse:neigh, lion:roar, frog:ribbit, bee:buzz, snake:hiss, owl:hoot
  mouse:squeak, wolf:howl
`);

export const YOUNG = pairs(
  'dog:puppy, cat:kitten, cow:calf, sheep:lamb, pig:piglet, duck:duckling, horse:foal, lion:cub, frog:tadpole, goat:kid',
);

export const PLURALS = pairs(`
  child:children, man:men, woman:women, foot:feet, tooth:teeth, mouse:mice, goose:geese, leaf:leaves, wolf:wolves, knife:knives
  city:cities, baby:babies, box:boxes, bus:buses, sheep:sheep, fish:fish, story:stories, dish:dishes, person:people, life:lives
`);

export const PASTS = pairs(`
  go:went, see:saw, eat:ate, run:ran, take:took, give:gave, come:came, buy:bought, write:wrote, sing:sang, swim:swam, drink:drank
  fly:flew, know:knew, find:found, make:made, say:said, tell:told, think:thought, sleep:slept, walk:walked, play:played
  jump:jumped, help:helped, look:looked, open:opened, ask:asked, call:called, begin:began, break:broke
`);

export const COUNTS = pairs(`
  legs does a dog have:4, legs does a spider have:8, legs does a bird have:2, legs does an ant have:6, wheels does a car have:4
  wheels does a bicycle have:2, days are in a week:7, months are in a year:12, hours are in a day:24, minutes are in an hour:60
  seconds are in a minute:60, days are in a year:365, eyes do you see with:2, fingers are on a hand:5, sides does a triangle have:3
  sides does a square have:4, letters are in the alphabet:26, seasons are in a year:4, planets are there:8
`);

/** From small to large. */
export const SIZES = 'ant bee mouse cat dog sheep horse elephant whale'.split(' ');
export const THING_SIZES = 'coin cup book chair table car house mountain'.split(' ');

export const FRENCH = pairs(
  'yes:oui, no:non, cat:chat, dog:chien, water:eau, bread:pain, house:maison, red:rouge, thanks:merci, one:un, two:deux, three:trois, sun:soleil, book:livre',
);
export const SPANISH = pairs(
  'yes:sí, no:no, cat:gato, dog:perro, water:agua, bread:pan, house:casa, red:rojo, thanks:gracias, one:uno, two:dos, three:tres, sun:sol, book:libro',
);
export const GERMAN = pairs(
  'yes:ja, no:nein, cat:Katze, dog:Hund, water:Wasser, bread:Brot, house:Haus, red:rot, thanks:danke, one:eins, two:zwei, three:drei, sun:Sonne, book:Buch',
);

export const MAIN_COLOURS = [
  'red',
  'green',
  'blue',
  'yellow',
  'black',
  'white',
  'brown',
  'orange',
  'purple',
  'pink',
  'gray',
] as const;
