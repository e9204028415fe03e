// Texts to tokens and back, conversations to text and tokens, with tokenizers of several kinds.
import { assistantSpans } from '../../../dist/libs/engine/src/text/assistant-spans.js';
import { ChatTemplate, encodeChat } from '../../../dist/libs/engine/src/text/chat-template.js';
import { Detokenizer } from '../../../dist/libs/engine/src/text/detokenizer.js';
import { Tokenizer } from '../../../dist/libs/engine/src/text/tokenizer.js';
import { answer, request } from './engine-request.mjs';

function encode(tokenizer, text) {
  const tokens = tokenizer.encode(text, { special: true });
  const detokenizer = new Detokenizer(tokenizer);
  const streamed = [...tokens].map((token) => detokenizer.push(token));
  return {
    tokens: [...tokens],
    tokensOfText: [...tokenizer.encode(text)],
    decoded: tokenizer.decode(tokens),
    decodedWithoutSpecial: tokenizer.decode(tokens, { skipSpecial: true }),
    streamed: streamed.join('') + detokenizer.flush(),
  };
}

function converse(tokenizer, own, chat) {
  const { template: source, messages, tools, templateVariables, addGenerationPrompt, spans } = chat;
  const template = source ? new ChatTemplate({ default: source }, tokenizer.specialTokens) : own;
  if (spans) {
    const endTokenIds = [tokenizer.idOf('<|im_end|>')];
    const { tokens, targets } = assistantSpans(tokenizer, template, { messages, tools }, { turns: spans, endTokenIds });
    return { tokens: [...tokens], targets: [...targets] };
  }
  const text = template.render(messages, { tools, templateVariables, addGenerationPrompt });
  const tokens = addGenerationPrompt
    ? encodeChat(tokenizer, template, messages, tools, templateVariables)
    : tokenizer.encode(text, { special: true });
  return { text, tokens: [...tokens] };
}

function refusedOr(call) {
  try {
    return call();
  } catch (error) {
    return { refused: error.message };
  }
}

async function answerOf({ directory, texts = [], sequences = [], chats = [] }) {
  let tokenizer;
  try {
    tokenizer = await Tokenizer.load(directory);
  } catch (error) {
    return { refused: error.message };
  }
  const own = await ChatTemplate.load(directory);
  return {
    vocabularySize: tokenizer.vocabularySize,
    texts: texts.map((text) => encode(tokenizer, text)),
    sequences: sequences.map((tokens) => ({
      decoded: tokenizer.decode(tokens),
      decodedWithoutSpecial: tokenizer.decode(tokens, { skipSpecial: true }),
    })),
    chats: chats.map((chat) => refusedOr(() => converse(tokenizer, own, chat))),
  };
}

answer(await Promise.all(request.tokenizers.map(answerOf)));
