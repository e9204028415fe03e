/** A payload to start from, in the shape that a receiver documents. */
export interface PayloadTemplate {
  name: string;
  receiver: string;
  /** Where the receiver's people find the address, and what the webhook needs beside it. */
  setup: string;
  documentation: string;
  payload: Record<string, unknown>;
}

/** Variables that an event doesn't have are empty, so that one line serves all events. */
const LINE = '${automation_name}: ${artifact_version_string}${run_name} (${event_type}, by ${event_author})';

const FACTS = {
  Team: '${entity_name}',
  Project: '${project_name}',
  Artifact: '${artifact_version_string}',
  Alias: '${alias}',
  Tag: '${tag}',
  Run: '${run_name}',
  State: '${run_status}${training_job_state}',
  Metric: '${metric_filter_short} ${metric_current_status}',
};

/** Text of people's making mentions nobody: plain text in Slack, no parsed mentions in Discord. */
export const PAYLOAD_TEMPLATES: readonly PayloadTemplate[] = [
  {
    name: 'slack',
    receiver: 'Slack',
    setup: 'The address of an incoming webhook of your Slack app. It needs no access token.',
    documentation: 'https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks/',
    payload: {
      text: LINE,
      blocks: [
        { type: 'section', text: { type: 'plain_text', text: LINE } },
        {
          type: 'context',
          elements: [{ type: 'plain_text', text: 'Heddle: ${entity_name}/${project_name} ${metric_current_status}' }],
        },
      ],
    },
  },
  {
    name: 'discord',
    receiver: 'Discord',
    setup: "The address that Discord shows among the channel's integrations. It needs no access token.",
    documentation: 'https://discord.com/developers/docs/resources/webhook#execute-webhook',
    payload: {
      content: LINE,
      embeds: [
        { title: 'Heddle: ${automation_name}', description: '${entity_name}/${project_name} ${metric_current_status}' },
      ],
      allowed_mentions: { parse: [] },
    },
  },
  {
    name: 'microsoft-teams',
    receiver: 'Microsoft Teams',
    setup: 'The address of a workflow "When a Teams webhook request is received". It needs no access token.',
    documentation:
      'https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using',
    payload: {
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          contentUrl: null,
          content: {
            type: 'AdaptiveCard',
            version: '1.4',
            body: [
              { type: 'TextBlock', text: LINE, wrap: true, weight: 'Bolder' },
              { type: 'FactSet', facts: Object.entries(FACTS).map(([title, value]) => ({ title, value })) },
            ],
          },
        },
      ],
    },
  },
  {
    name: 'github-dispatch',
    receiver: 'GitHub Actions (repository dispatch)',
    setup:
      'https://api.github.com/repos/OWNER/REPOSITORY/dispatches, with an access token that may write the contents of the repository.',
    documentation: 'https://docs.github.com/rest/repos/repos#create-a-repository-dispatch-event',
    payload: {
      event_type: 'heddle-${event_type}',
      client_payload: {
        event_author: '${event_author}',
        entity_name: '${entity_name}',
        project_name: '${project_name}',
        artifact_version_string: '${artifact_version_string}',
        alias: '${alias}',
        run_name: '${run_name}',
        state: '${run_status}${training_job_state}',
        metric: '${metric_current_status}',
      },
    },
  },
];
