-- Reverts 0024-alert-queue.

drop function is_known_exploited(text);
drop index alerts_urgency_index;
