package differences

import (
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// calm are the questions that can be asked all at once.
var calm = []row{{
	"brokers, and the addresses that they advertise",
	"брокеры и адреса, которые они сообщают",
	"3, localhost:PORT", "3, localhost:PORT", advertised,
}, {
	"the controller in an answer to Metadata",
	"контроллер в ответе на Metadata",
	oneBroker, anyBroker, controller,
}, {
	"`DescribeQuorum`: three voters and a leader",
	"`DescribeQuorum`: трое голосующих и лидер",
	no, yes, quorum,
}, {
	"`DescribeTopicPartitions` (key 75) is offered",
	"`DescribeTopicPartitions` (ключ 75) есть",
	no, yes, offered(kmsg.NewPtrDescribeTopicPartitionsRequest()),
}, {
	"finalized `kraft.version`",
	"включённая `kraft.version`",
	"1", "0", kraftVersion,
}, {
	"the access rules (ACLs) are asked for",
	"запрос правил доступа (ACL)",
	accepted, "SECURITY_DISABLED", acls,
}, {
	"`__consumer_offsets` is among the topics",
	"`__consumer_offsets` видна среди топиков",
	no, yes, offsetsTopic,
}, {
	"a record to a missing topic, by a client that asks for auto-creation",
	"запись в несуществующий топик от клиента, который просит создать его",
	"UNKNOWN_TOPIC_OR_PARTITION", "UNKNOWN_TOPIC_OR_PARTITION", missingTopic,
}, {
	"partitions x replicas of a topic that is made without numbers",
	"партиции x реплики топика, созданного без чисел",
	"1 x 3", "1 x 3", byDefault,
}, {
	"a topic with four replicas on three brokers",
	"топик с четырьмя репликами на трёх брокерах",
	"INVALID_REPLICATION_FACTOR", "INVALID_REPLICATION_FACTOR", create(4),
}, {
	"a topic with an unknown setting",
	"топик с неизвестной настройкой",
	"INVALID_CONFIG", "INVALID_CONFIG", create(3, "retention.minutes", "1"),
}, {
	"leaders of three partitions on three brokers",
	"лидеры трёх партиций на трёх брокерах",
	byChance, oneEach, placement,
}, {
	"a topic is asked to have as many partitions as it has",
	"топику задают столько партиций, сколько у него есть",
	accepted, "INVALID_PARTITIONS", resized(0),
}, {
	"settings in the description of a topic",
	"настроек в описании топика",
	"10", "37", settings,
}, {
	"copies on disk of a record that has three replicas",
	"копий на диске у записи с тремя репликами",
	"1", "3", copies,
}, {
	"a record with `acks=all` to one replica where two must be in sync",
	"запись с `acks=all` в единственную реплику, когда в ISR должно быть две",
	accepted, accepted, oneCopy,
}, {
	"a record from a client that knows a deleted topic",
	"запись от клиента, который знает удалённый топик",
	"UNKNOWN_TOPIC_OR_PARTITION", "UNKNOWN_TOPIC_ID", deletedTopic,
}, {
	"a record larger than `max.message.bytes`",
	"запись больше `max.message.bytes`",
	"MESSAGE_TOO_LARGE", "MESSAGE_TOO_LARGE", refusedRecord(large(), "max.message.bytes", "1000"),
}, {
	"a record whose time lies two hours ahead",
	"запись со временем на два часа вперёд",
	accepted, "INVALID_TIMESTAMP",
	refusedRecord(kgo.Record{Timestamp: time.Now().Add(2 * time.Hour)}),
}, {
	"a record without a key in a compacted topic",
	"запись без ключа в топик с компакцией",
	accepted, "INVALID_RECORD", refusedRecord(kgo.Record{}, "cleanup.policy", "compact"),
}, {
	"the time of a record in a topic with `LogAppendTime`",
	"время записи в топике с `LogAppendTime`",
	clientsClock, brokersClock, appendTime,
}, {
	"first offset when three records are older than `retention.ms`",
	"первый оффсет, когда три записи старше `retention.ms`",
	"3", "3", retention,
}, {
	"first offset when a young record lies behind two older than `retention.ms`",
	"первый оффсет, когда за двумя записями старше `retention.ms` лежит молодая",
	"0", "0", kept(minutes(120, 90, 0)),
}, {
	"records beyond `retention.bytes` are deleted",
	"записи сверх `retention.bytes` удаляются",
	no, yes, retentionBytes,
}, {
	"end offset after a transaction with one record",
	"конечный оффсет после транзакции с одной записью",
	"2", "2", transaction,
}, {
	"member id (CLIENT is the client id)",
	"id участника группы (CLIENT — client id)",
	"CLIENT-HEX", "CLIENT-UUID", memberID,
}, {
	"committed offset of a group that does not exist",
	"закоммиченный оффсет группы, которой нет",
	"-1", "-1", unknownOffsets,
}, {
	"a group without commits after its last member has left",
	"группа без коммитов после ухода последнего участника",
	"Empty", "Empty", abandoned,
}, {
	"a group with a member is deleted",
	"удаление группы с участником",
	"NON_EMPTY_GROUP", "NON_EMPTY_GROUP", deleteWithMembers,
}, {
	"a group of the new protocol (KIP-848): its description names the topics",
	"группа нового протокола (KIP-848): в описании есть имена топиков",
	no, yes, serverSide,
}, {
	"host of a member in the description of its group",
	"хост участника в описании группы",
	"127.0.0.1:PORT", "/127.0.0.1", memberHost,
}}

// alike are more of them: both stands have always answered the same, and the READMEs do
// not tell it.
var alike = []row{{
	"topic `a_b` beside topic `a.b`",
	"топик `a_b` рядом с топиком `a.b`",
	"INVALID_TOPIC_EXCEPTION", "INVALID_TOPIC_EXCEPTION", collidingNames,
}, {
	"a topic whose `retention.ms` is no number",
	"топик, у которого `retention.ms` не число",
	"INVALID_CONFIG", "INVALID_CONFIG", create(3, "retention.ms", "abc"),
}, {
	"all settings of a topic with many values each: how many are refused, and which",
	"все настройки топика с разными значениями: сколько отвергнуто и какие именно",
	"1161, sum 2204358576", "1161, sum 2204358576", refusedSettings,
}, {
	"the id of a topic that was deleted and made again",
	"id топика, который удалили и создали снова",
	another, another, idAfterRecreation,
}, {
	"a topic is asked to have fewer partitions",
	"топику задают меньше партиций, чем у него есть",
	"INVALID_PARTITIONS", "INVALID_PARTITIONS", resized(-1),
}, {
	"committed offset of a topic that was deleted and made again",
	"закоммиченный оффсет топика, который удалили и создали снова",
	"-1", "-1", commitsOfDeletedTopic,
}, {
	"poll of a topic that was deleted and made again meanwhile",
	"чтение топика, который тем временем удалили и создали снова",
	"UNKNOWN_TOPIC_ID", "UNKNOWN_TOPIC_ID", namesake,
}, {
	"first offset after `DeleteRecords` up to 2",
	"первый оффсет после `DeleteRecords` до 2",
	"2", "2", deleteRecords,
}, {
	"first offset when a record of long ago lies among young ones",
	"первый оффсет, когда среди молодых записей лежит очень старая",
	"0", "0", kept(minutes(0, 100000, 0)),
}, {
	// From one write to the next 20 minutes pass: by the time since the last write no segment
	// would ever be closed.
	"first offset when records 20 minutes apart lie in segments of half an hour",
	"первый оффсет, когда записи через 20 минут лежат в сегментах по полчаса",
	"4", "4", kept(minutes(130, 110, 90, 70, 50), "segment.ms", "1800000"),
}, {
	"first offset when a compacted topic has a record older than `retention.ms`",
	"первый оффсет, когда в топике с компакцией есть запись старше `retention.ms`",
	"0", "0", kept(minutes(120, 90), "cleanup.policy", "compact"),
}, {
	"first offset after a time that lies ahead",
	"первый оффсет после времени в будущем",
	"-1", "-1", afterTheLast,
}, {
	"description of a group that does not exist",
	"описание группы, которой нет",
	"GROUP_ID_NOT_FOUND", "GROUP_ID_NOT_FOUND", unknownGroup,
}, {
	"members after the only one, a static one, has been closed",
	"участников после остановки единственного, статического",
	"1", "1", staticMember,
}, {
	"a commit for a topic that does not exist",
	"коммит для топика, которого нет",
	"UNKNOWN_TOPIC_OR_PARTITION", "UNKNOWN_TOPIC_OR_PARTITION", commitToMissingTopic,
}, {
	"a session timeout of one second",
	"session timeout в одну секунду",
	"INVALID_SESSION_TIMEOUT", "INVALID_SESSION_TIMEOUT", shortSession,
}}
