//! The answers of a job, one after another.

use super::Coordinated;
use crate::job::JobId;
use crate::objects::ObjectName;
use crate::server::{Cluster, Failure};
use async_nats::Subscriber;
use async_nats::jetstream::consumer::{AckPolicy, Consumer, DeliverPolicy, pull};
use futures_util::StreamExt;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// How many answers are asked for at once, and how long one waits for the first.
const MOST: usize = 200;
const WAIT: Duration = Duration::from_millis(100);
/// After how long without an answer one looks whether the stream is still there.
const QUIET: Duration = Duration::from_secs(2);
/// How long the server knows of one who asks for answers, where nobody asks.
const KNOWN_FOR: Duration = Duration::from_secs(60);
/// No note is longer than this.
const LONGEST_NOTE: usize = 300;

/// The answers of a job.
pub struct Inbox {
    job: JobId,
    /// The last answer that was entered.
    pub sequence: u64,
    /// The objects that answers had.
    pub read: Vec<ObjectName>,
    /// The last answer that was asked for.
    asked: u64,
    waiting: VecDeque<(u64, Vec<u8>)>,
    consumer: Option<Consumer<pull::Config>>,
    notes: Subscriber,
    heard: Instant,
    /// How often nothing was to be had, one time after another.
    n_lost: u32,
    is_away: bool,
}

/// So often it may be chance.
const CHANCE: u32 = 1;

type Say<'s> = Box<dyn FnMut(Coordinated) + 's>;

impl Inbox {
    /// The answers behind this one.
    pub async fn open(cluster: &Cluster, job: JobId, sequence: u64) -> Result<Inbox, Failure> {
        let notes = cluster.client.subscribe(cluster.server.notes_of(job)).await.map_err(|why| Failure::of("the notes", why))?;
        Ok(Inbox {
            job,
            sequence,
            read: Vec::new(),
            asked: sequence,
            waiting: VecDeque::new(),
            consumer: None,
            notes,
            heard: Instant::now(),
            n_lost: 0,
            is_away: false,
        })
    }

    /// The next answer, where one comes soon.
    pub async fn next(&mut self, cluster: &Cluster, say: &mut Say<'_>) -> Option<(u64, Vec<u8>)> {
        if self.waiting.is_empty() {
            match tokio::time::timeout(QUIET, self.fetch(cluster)).await {
                Ok(Ok(())) => {
                    self.n_lost = 0;
                    if std::mem::take(&mut self.is_away) {
                        say(Coordinated::Back);
                    }
                }
                Ok(Err(why)) => self.lose(why, say).await,
                Err(_) => self.lose("it is silent".into(), say).await,
            }
            while let Ok(Some(note)) = tokio::time::timeout(Duration::ZERO, self.notes.next()).await {
                let text = String::from_utf8_lossy(&note.payload);
                say(Coordinated::Note(text.chars().take(LONGEST_NOTE).collect()));
            }
        }
        self.waiting.pop_front()
    }

    async fn lose(&mut self, why: String, say: &mut Say<'_>) {
        self.consumer = None;
        self.n_lost += 1;
        if self.n_lost > CHANCE && self.heard.elapsed() >= QUIET && !self.is_away {
            self.is_away = true;
            say(Coordinated::Away(why));
        }
        tokio::time::sleep(WAIT).await;
    }

    /// Asks for the next answers.
    async fn fetch(&mut self, cluster: &Cluster) -> Result<(), String> {
        if self.consumer.is_none() {
            let config = pull::Config {
                ack_policy: AckPolicy::None,
                deliver_policy: DeliverPolicy::ByStartSequence { start_sequence: self.asked + 1 },
                filter_subject: cluster.server.answers_of(self.job),
                inactive_threshold: KNOWN_FOR,
                ..pull::Config::default()
            };
            self.consumer = Some(cluster.answers.create_consumer(config).await.map_err(|why| why.to_string())?);
        }
        let consumer = self.consumer.as_mut().expect("it has been made");
        if self.heard.elapsed() >= QUIET {
            consumer.info().await.map_err(|why| why.to_string())?;
            self.heard = Instant::now();
        }
        let mut messages = consumer.batch().max_messages(MOST).expires(WAIT).messages().await.map_err(|why| why.to_string())?;
        while let Some(message) = messages.next().await {
            let message = message.map_err(|why| why.to_string())?;
            let sequence = message.info().map_err(|why| why.to_string())?.stream_sequence;
            if sequence > self.asked {
                self.asked = sequence;
                self.heard = Instant::now();
                self.waiting.push_back((sequence, message.payload.to_vec()));
            }
        }
        Ok(())
    }
}
